#include <cstdio>
#include <thread>
#include <vector>

void launch(int *out, int id);

int main()
{
    const int threads = 8;
    int out[threads][64], wrong = 0;
    std::vector<std::thread> running;
    for (int id = 0; id < threads; id++)
        running.emplace_back([&out, id] {
            for (int round = 0; round < 10; round++)
                launch(out[id], id);
        });
    for (std::thread &thread : running)
        thread.join();
    for (int id = 0; id < threads; id++)
        for (int i = 0; i < 64; i++)
            wrong += out[id][63 - i] != id * 100 + i;
    printf("%d threads, %d wrong\n", threads, wrong);
    return wrong;
}
