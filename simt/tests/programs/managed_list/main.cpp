/* Unified memory: a list that the host builds and a kernel changes, a class with its own operator new. */
#include "managed.h"
#include <cstdio>
int main()
{
    Node *list = nullptr;
    for (int i = 1; i <= 10; i++)
        list = new Node(i * i, list);
    Result first = walk(list), second = walk(list);
    int host = list->sum();
    printf("%d nodes: %d, %d, %d; mean %.2f\n", first.length, first.sum, second.sum, host, second.mean);
    while (list) {
        Node *next = list->next;
        delete list;
        list = next;
    }
    bool ok = first.sum == 385 && second.sum == 3 * 385 && host == 9 * 385;
    puts(ok ? "PASS" : "FAIL");
    return !ok;
}
