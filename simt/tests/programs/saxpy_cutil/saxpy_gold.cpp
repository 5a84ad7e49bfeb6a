extern "C"
void computeGold( float alpha, const float* x, float* y, const unsigned int len);

void
computeGold( float alpha, const float* x, float* y, const unsigned int len)
{
    for( unsigned int i = 0; i < len; ++i)
        y[i] += alpha * x[i];
}
