/* module.h: the modules: executables and shared objects of translated code in this process. Internal. */
#ifndef SIMT_MODULE_H
#define SIMT_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct range {
    char *begin;
    size_t bytes;
};

static inline bool range_holds(struct range range, const void *address)
{
    return (uintptr_t)address - (uintptr_t)range.begin < range.bytes;
}

struct module {
    char path[512];            /* of the file with its symbols and debug information */
    uintptr_t bias;            /* address in memory minus address in the file */
    struct range code;         /* executable segment */
    struct range read_only[8]; /* segments that nothing may write: string literals, constant tables */
    size_t read_only_count;
    struct range data[8]; /* writable segments of host variables; the three below are not in them */
    size_t data_count;
    struct range device;   /* __device__ variables */
    struct range constant; /* __constant__ variables */
    struct range managed;  /* __managed__ variables */
    bool fences;           /* its kernels have fences */
    struct range
        shared; /* __shared__ variables: the thread-local block of this module, in the thread that launches */
};

/* What the constructor in simt_launch.h hands over, once a translation unit. */
struct simt_module_ranges {
    char *device_begin, *device_end;
    char *constant_begin, *constant_end;
    char *managed_begin, *managed_end;
    char *anchor;     /* a thread-local variable of the module, touched, so that its block exists */
    const void *code; /* any address in the module's code */
    int fences;       /* whether its kernels have fences */
};
void simt_register_module(const struct simt_module_ranges *ranges);
void simt_unregister_module(const void *code);

/* Each host thread has thread-local blocks of its own: from now on `shared` is this thread's. */
void modules_follow_host(void);

/* The module that holds a code address; null when the code is not translated. */
const struct module *module_of_code(const void *address);

/* The module that holds a variable of any kind at this address; null when none does. */
const struct module *module_of_data(const void *address);

/* Bytes of static shared memory that a kernel's own __shared__ variables take, from the symbol table. */
size_t module_static_shared(const struct module *module, const void *kernel);

/* Does it lie among the module's __device__, __constant__ and __managed__ variables? */
bool module_holds_variable(const struct module *module, const void *address);

/* True when g++ keeps there whether a shared variable's constructor has run. Such constructors do nothing, as CUDA demands,
 * so these bytes are no memory of the program. */
bool module_holds_guard(const struct module *module, const void *address);

/* The __device__, __constant__ or __managed__ variable, from the symbol table, that holds the address, or to whose gap it
 * belongs. The gap between two variables belongs to the first of them, but for its last bytes: an index below 0 of the
 * second leads there. False when there is none. */
bool module_variable(const struct module *module, const void *address, struct range *variable);

/* Is the module known to have no variable of the device? Then its sections hold gaps only. */
bool module_without_variables(const struct module *module);

/* The global or static variable of host code that holds the address. False when no known one does. */
bool module_host_variable(const struct module *module, const void *address, struct range *variable);

/* Does one of the module's functions begin there, of those that are not of the device's headers? */
bool module_function(const struct module *module, const void *address);

/* Bytes of the module's variables in one of its ranges device, constant and managed, without the gaps. */
size_t module_variable_bytes(const struct module *module, struct range range);

/* All translated modules. */
size_t module_count(void);
const struct module *module_at(size_t i);

#endif
