#include "broken_header.cuh"
int main()
{
}
