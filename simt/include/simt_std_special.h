/* simt_std_special.h: the special functions of C++17's <cmath>, which cuda_runtime.h leaves out. C++; a source that uses
 * one of them begins with this header. */
#ifndef SIMT_STD_SPECIAL_H
#define SIMT_STD_SPECIAL_H

#include "cuda_runtime.h"

#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#define _GLIBCXX_USE_STD_SPEC_FUNCS 1
#if __cplusplus >= 201703L
#include <bits/specfun.h>
#endif

#endif
