/* assert.h: the system's, but a failed assertion names its function without the types of a template's arguments. They would
 * make a text of each assertion that is another one for each type of elements. */
#include_next <assert.h>

#if !defined(NDEBUG) && defined(__cplusplus)
#undef assert
#define assert(expression)                                                                                   \
    (static_cast<bool>(expression) ? void(0) : __assert_fail(#expression, __FILE__, __LINE__, __func__))
#endif
