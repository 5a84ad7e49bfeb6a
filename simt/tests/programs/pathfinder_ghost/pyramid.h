#define IN_RANGE(x, min, max)    ((x) >= (min) && (x) <= (max))
#define CLAMP_RANGE(x, min, max) x = (x < (min)) ? min : ((x > (max)) ? max : x)
#define MIN(a, b)                ((a) <= (b) ? (a) : (b))
#define HALO                     1 // halo width along one direction when advancing to the next iteration
