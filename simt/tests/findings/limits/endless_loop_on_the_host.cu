/* The stride is even, so i is never 7: an endless loop without any access to memory. */
extern "C" bool simt_call(void (*body)(void *), void *context);

static void sweep(void *stride)
{
    for (unsigned i = 0, s = *(unsigned *)stride; i != 7; i += s) asm volatile("");
}

int main()
{
    unsigned stride = 2;
    return simt_call(sweep, &stride);
}

//= endless_loop_on_the_host.cu:6  sweep: host code does not end
//=     after SOME executed instructions (the budget: 10,000,000) it is still at work here
//=     try: check that every loop's condition changes on each pass
