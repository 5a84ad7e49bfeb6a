/* nvtx3/nvToolsExt.h: marks for NVIDIA's profilers. This device accepts them and does nothing. C and C++. */
#ifndef SIMT_NVTOOLSEXT_H
#define SIMT_NVTOOLSEXT_H

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION                  3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
#define SIMT_NVTX                     static inline __attribute__((__unused__))

enum { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 };
enum { NVTX_MESSAGE_UNKNOWN = 0, NVTX_MESSAGE_TYPE_ASCII = 1, NVTX_MESSAGE_TYPE_UNICODE = 2 };
enum { NVTX_PAYLOAD_UNKNOWN = 0, NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1, NVTX_PAYLOAD_TYPE_INT64 = 2 };

typedef uint64_t nvtxRangeId_t;
typedef struct {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
    } payload;
    int32_t messageType;
    union {
        const char *ascii;
        const wchar_t *unicode;
    } message;
} nvtxEventAttributes_t;

SIMT_NVTX int nvtxRangePushA(const char *message)
{
    (void)message;
    return 0;
}
SIMT_NVTX int nvtxRangePushEx(const nvtxEventAttributes_t *attributes)
{
    (void)attributes;
    return 0;
}
SIMT_NVTX int nvtxRangePop(void)
{
    return 0;
}
SIMT_NVTX nvtxRangeId_t nvtxRangeStartA(const char *message)
{
    (void)message;
    return 0;
}
SIMT_NVTX void nvtxRangeEnd(nvtxRangeId_t id)
{
    (void)id;
}
SIMT_NVTX void nvtxMarkA(const char *message)
{
    (void)message;
}
SIMT_NVTX void nvtxNameOsThreadA(uint32_t __number, const char *name)
{
    (void)__number, (void)name;
}
#define nvtxRangePush    nvtxRangePushA
#define nvtxRangeStart   nvtxRangeStartA
#define nvtxMark         nvtxMarkA
#define nvtxNameOsThread nvtxNameOsThreadA

#undef SIMT_NVTX

#endif
