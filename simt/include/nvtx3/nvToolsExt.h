/* nvtx3/nvToolsExt.h: marks for NVIDIA's profilers. This device accepts them and does nothing. C and C++. */
#ifndef SIMT_NVTOOLSEXT_H
#define SIMT_NVTOOLSEXT_H

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION                  3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
#define SIMT_NVTX                     static inline __attribute__((__unused__))

enum { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 };
enum {
    NVTX_MESSAGE_UNKNOWN = 0,
    NVTX_MESSAGE_TYPE_ASCII = 1,
    NVTX_MESSAGE_TYPE_UNICODE = 2,
    NVTX_MESSAGE_TYPE_REGISTERED = 3
};
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
        struct simt_nvtx_string *registered;
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
SIMT_NVTX nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *attributes)
{
    (void)attributes;
    return 0;
}
SIMT_NVTX void nvtxMarkEx(const nvtxEventAttributes_t *attributes)
{
    (void)attributes;
}
SIMT_NVTX void nvtxNameCategoryA(uint32_t __category, const char *name)
{
    (void)__category, (void)name;
}
SIMT_NVTX void nvtxInitialize(const void *__reserved)
{
    (void)__reserved;
}

/* Domains: every one is null, and so is every registered string. */
typedef struct simt_nvtx_domain *nvtxDomainHandle_t;
typedef struct simt_nvtx_string *nvtxStringHandle_t;
SIMT_NVTX nvtxDomainHandle_t nvtxDomainCreateA(const char *name)
{
    (void)name;
    return NULL;
}
SIMT_NVTX void nvtxDomainDestroy(nvtxDomainHandle_t __domain)
{
    (void)__domain;
}
SIMT_NVTX int nvtxDomainRangePushEx(nvtxDomainHandle_t __domain, const nvtxEventAttributes_t *attributes)
{
    (void)__domain;
    return nvtxRangePushEx(attributes);
}
SIMT_NVTX int nvtxDomainRangePop(nvtxDomainHandle_t __domain)
{
    (void)__domain;
    return 0;
}
SIMT_NVTX nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t __domain,
                                               const nvtxEventAttributes_t *attributes)
{
    (void)__domain;
    return nvtxRangeStartEx(attributes);
}
SIMT_NVTX void nvtxDomainRangeEnd(nvtxDomainHandle_t __domain, nvtxRangeId_t id)
{
    (void)__domain, (void)id;
}
SIMT_NVTX void nvtxDomainMarkEx(nvtxDomainHandle_t __domain, const nvtxEventAttributes_t *attributes)
{
    (void)__domain;
    nvtxMarkEx(attributes);
}
SIMT_NVTX void nvtxDomainNameCategoryA(nvtxDomainHandle_t __domain, uint32_t __category, const char *name)
{
    (void)__domain, (void)__category, (void)name;
}
SIMT_NVTX nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t __domain, const char *__string)
{
    (void)__domain, (void)__string;
    return NULL;
}
#define nvtxDomainCreate         nvtxDomainCreateA
#define nvtxDomainNameCategory   nvtxDomainNameCategoryA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxNameCategory         nvtxNameCategoryA
#define nvtxRangePush            nvtxRangePushA
#define nvtxRangeStart           nvtxRangeStartA
#define nvtxMark                 nvtxMarkA
#define nvtxNameOsThread         nvtxNameOsThreadA

#undef SIMT_NVTX

#endif
