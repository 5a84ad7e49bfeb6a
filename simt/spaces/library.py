"""The functions of the C and C++ libraries and of CUDA's runtime that nvcc permits in device code. All others are host
functions."""

import re

_MATHEMATICS = (
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh cospi erf erfc erfcinv erfcx erfinv exp exp10 "
    "exp2 expm1 fabs fdim fdivide floor fma fmax fmin fmod frexp hypot ilogb j0 j1 jn ldexp lgamma llrint llround log "
    "log10 log1p log2 logb lrint lround modf nan nearbyint nextafter norm3d normcdf pow powi rcbrt remainder "
    "remquo rhypot rint round rsqrt scalbln scalbn sin sincos sincospi sinh sinpi sqrt tan tanh tgamma trunc y0 y1 yn"
)
_PLAIN = (
    "abs labs llabs isnan isinf isfinite signbit fpclassify "
    "malloc free memcpy memset strlen printf vprintf alloca clock __assert_fail __assertfail "
    "__isnan __isnanf __isinf __isinff __finite __finitef __signbit __signbitf __fpclassify __fpclassifyf"
)
_NAMES = frozenset(_PLAIN.split()) | {name + tail for name in _MATHEMATICS.split() for tail in ("", "f")}

# new and delete, also at an address, and the functions that a class with virtual functions needs.
_NEW = ("_Znwm", "_Znam", "_ZnwmPv", "_ZnamPv")
_DELETE = ("_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm", "_ZdlPvS_", "_ZdaPvS_")
_LANGUAGE = frozenset((*_NEW, *_DELETE, "__cxa_pure_virtual", "__cxa_throw_bad_array_new_length"))
_LANGUAGE_BUT = frozenset(("simt_memmove", "simt_puts", "simt_calloc", "simt_realloc", "simt_allocate_exception"))
_LANGUAGE_PREFIXES = ("simt_", "__builtin_", "_ZT", "__sync_", "__atomic_")

# The functions of CUDA's runtime that a kernel may call without a device linker.
_RUNTIME = frozenset(("cudaMalloc",))

# The labs' stock functions that run on the device.
_STOCK = frozenset(("stock_block_sums",))

# std:: names that nvcc permits in device code although they are not marked.
_STANDARD = frozenset(("move", "forward", "addressof", "begin", "end", "size", "initializer_list"))

_STANDARD_SYMBOL = re.compile(r"_Z(?:n[wa]mPv|d[la]PvS_)$|_ZN?K?[RO]?St|_ZN?K?9__gnu_cxx|_ZS[oisabd]|_ZNK?S[oisabd]")
_STANDARD_NAME = re.compile(r"^(?:constexpr )?std::(?:__cxx11::)?(\w+)")


def is_standard(symbol: str) -> bool:
    """Whether a function belongs to C++, not to C or the program."""
    return _STANDARD_SYMBOL.match(symbol) is not None


def is_on_device(symbol: str, name: str) -> bool:
    """Whether device code may call a function that no source here marks. `name` is the name that g++ prints."""
    if symbol in _LANGUAGE_BUT:
        return False
    if symbol in _NAMES | _LANGUAGE | _RUNTIME | _STOCK or symbol.startswith(_LANGUAGE_PREFIXES):
        return True
    if not is_standard(symbol):
        return False
    found = _STANDARD_NAME.match(name) or re.match(r"_ZN?K?St(?:\d+)?([a-z_]\w*?)(?:f|d|e|I|E|v|$)", symbol)
    return found is not None and (found[1] in _NAMES or found[1] in _STANDARD)
