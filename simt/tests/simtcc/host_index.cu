int main(int arguments, char **)
{
    int counts[4] = {0};
    return counts[3 + arguments];
}
