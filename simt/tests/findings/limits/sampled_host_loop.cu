/* A sampled run ends host code that accesses all elements one by one, counting accesses because the time differs from
 * machine to machine. One access for each tile of 512 is allowed. work: 200000000 */
extern "C" void simt_sample(size_t far_index);
extern "C" bool simt_call(void (*body)(void *), void *context);

const size_t N = (size_t)1 << 29, TILE = 512;

unsigned sums[1024];

unsigned add_up(size_t n, size_t stride)
{
    unsigned sum = 0;
    for (size_t i = 0; i < n; i += stride)
        sum += sums[i % 1024];
    return sum;
}

static void all_tiles(void *sum)
{
    *(unsigned *)sum = add_up(N, TILE);
}

static void all_elements(void *sum)
{
    *(unsigned *)sum = add_up(N, 1);
}

int main()
{
    unsigned sum;
    simt_sample(N / 2);
    const bool done = simt_call(all_tiles, &sum);
    return !done || simt_call(all_elements, &sum);
}

//= sampled_host_loop.cu:14  add_up: host code does not end
//=     after 8388608 accesses to memory it is still at work here
//=     try: does a length or stride of 32 bits wrap around to 0? Make it a size_t. Or does host code go over all elements? Kernels are for that
