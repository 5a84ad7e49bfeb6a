/* takes_over.cuh: for cheats that answer in the runner's place. Their function never returns. It finds the number of
 * the first request in the runner's memory, receives the later ones from the socket, and decides itself when it
 * answers. The layout of requests and answers is that of labs/support/call/call.h. */
#include <cuda.h>
#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

typedef unsigned long long word;
enum { SOCKET = 3, REQUEST_BYTES = 1368, PART_AT = 16, ANSWER_BYTES = 2976, DONE = 3 };
static const word MAGIC = 0x53634c616273318Fu;

static int look_for_request(struct dl_phdr_info *program, size_t, void *number)
{
    for (int i = 0; i < program->dlpi_phnum; i++) {
        const ElfW(Phdr) &part = program->dlpi_phdr[i];
        const char *begin      = (const char *)program->dlpi_addr + part.p_vaddr;
        if (part.p_type != PT_LOAD || !(part.p_flags & PF_W))
            continue;
        for (const char *at = begin; at + REQUEST_BYTES <= begin + part.p_memsz; at += sizeof(word))
            if (*(const word *)at == MAGIC && strcmp(at + PART_AT, "scan_inclusive") == 0)
                *(word *)number = ((const word *)at)[1];
    }
    return 1; /* the first is the runner, and the others need not be searched */
}

static void answer(word number)
{
    char bytes[ANSWER_BYTES] = {};
    memcpy(bytes, &MAGIC, sizeof MAGIC);
    memcpy(bytes + 8, &number, sizeof number);
    bytes[16] = DONE;
    send(SOCKET, bytes, sizeof bytes, 0);
}

#define DRIVER(name, ...) ((decltype(&name))dlsym(driver, #name))(__VA_ARGS__)

/* Maps the memory of a descriptor, and forgets about it. */
static elem_t *map(int descriptor, size_t bytes)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    CUmemGenericAllocationHandle handle;
    CUdeviceptr pointer;
    CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, {0}}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    bytes                  = (bytes + (2 << 20) - 1) >> 21 << 21;
    DRIVER(cuMemImportFromShareableHandle, &handle, (void *)(size_t)descriptor,
           CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    DRIVER(cuMemAddressReserve, &pointer, bytes, 0, 0, 0);
    DRIVER(cuMemMap, pointer, bytes, 0, handle, 0);
    DRIVER(cuMemSetAccess, pointer, bytes, &access, 1);
    close(descriptor);
    return (elem_t *)pointer;
}

/* Calls work(in, out, number) for each request; it has to answer. */
template <class Work> static void take_over(const elem_t *in, elem_t *out, size_t n, Work work)
{
    word number = 0;
    dl_iterate_phdr(look_for_request, &number);
    work(in, out, number);
    for (;;) {
        cudaDeviceSynchronize();
        char request[REQUEST_BYTES], control[256];
        int descriptors[2];
        struct iovec text      = {request, sizeof request};
        struct msghdr message  = {};
        message.msg_iov        = &text;
        message.msg_iovlen     = 1;
        message.msg_control    = control;
        message.msg_controllen = sizeof control;
        if (recvmsg(SOCKET, &message, 0) <= 0)
            _exit(0);
        memcpy(&number, request + 8, sizeof number);
        if (!CMSG_FIRSTHDR(&message)) { /* a request to give up the arrays of the last call */
            answer(number);
            continue;
        }
        memcpy(descriptors, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof descriptors);
        in  = map(descriptors[0], n * sizeof *in);
        out = map(descriptors[1], n * sizeof *out);
        work(in, out, number);
    }
}
