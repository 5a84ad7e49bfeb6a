#ifdef RD_WG_SIZE_0
#define BLOCK_SIZE RD_WG_SIZE_0
#elif defined(RD_WG_SIZE)
#define BLOCK_SIZE RD_WG_SIZE
#else
#define BLOCK_SIZE 16
#endif
#define LIMIT -999

extern "C" int blosum(int a, int b);
