#define RELAXED(v, i, n) (((v)[(i) > 0 ? (i)-1 : 0] + 2 * (v)[i] + (v)[(i) + 1 < (n) ? (i) + 1 : (n)-1]) / 4)
