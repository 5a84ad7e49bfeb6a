void run(int width, int height);

int main()
{
    run(16, 15);
    return 0;
}
