/* nvToolsExt.h: see nvtx3/nvToolsExt.h. */
#include "nvtx3/nvToolsExt.h"
