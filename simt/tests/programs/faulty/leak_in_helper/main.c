void scale_twice(void);

int main(void)
{
    scale_twice();
    return 0;
}
