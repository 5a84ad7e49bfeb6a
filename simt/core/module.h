/* module.h: modules, the executables and shared objects of translated code in this process. Internal. */
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
    char path[512];            /* the file with its symbols and debug information */
    uintptr_t bias;            /* address in memory minus address in the file */
    struct range code;         /* executable segment */
    struct range read_only[8]; /* segments that may not be written: string literals, constant tables */
    size_t read_only_count;
    struct range data[8]; /* writable segments with host variables, not those of the device below */
    size_t data_count;
    struct range device;   /* __device__ variables */
    struct range constant; /* __constant__ variables */
    struct range managed;  /* __managed__ variables */
    bool fences;           /* its kernels have fences */
    struct range shared;   /* __shared__ variables: the module's thread-local block in the launching thread */
};

/* Passed by the constructor in simt_launch.h, once for each translation unit. */
struct simt_module_ranges {
    char *device_begin, *device_end;
    char *constant_begin, *constant_end;
    char *managed_begin, *managed_end;
    char *anchor;     /* a thread-local variable of the module; using it makes its block exist */
    const void *code; /* any address in the module's code */
    int fences;       /* whether its kernels have fences */
};
void simt_register_module(const struct simt_module_ranges *ranges);
void simt_unregister_module(const void *code);

/* Sets `shared` of each module to the current host thread's thread-local blocks, because each host thread has its
 * own. */
void modules_follow_host(void);

/* The module that contains a code address; null when the code is not translated. */
const struct module *module_of_code(const void *address);

/* The module that has a variable of any kind at this address; null when none has. */
const struct module *module_of_data(const void *address);

/* Bytes of static shared memory that a kernel's own __shared__ variables take, from the symbol table. */
size_t module_static_shared(const struct module *module, const void *kernel);

/* Is the address in the module's __device__, __constant__ or __managed__ variables? */
bool module_holds_variable(const struct module *module, const void *address);

/* Is this a byte in which g++ records whether a shared variable's constructor has run? CUDA demands that such
 * constructors do nothing, so these bytes do not belong to the program. */
bool module_holds_guard(const struct module *module, const void *address);

/* Finds the __device__, __constant__ or __managed__ variable in the symbol table that contains the address or owns
 * the gap around it. A gap between two variables belongs to the first, except its last bytes, which an index below
 * 0 of the second one reaches. Returns false when there is none. */
bool module_variable(const struct module *module, const void *address, struct range *variable);

/* Is it certain that the module has no variables of the device? Then its sections contain only gaps. */
bool module_without_variables(const struct module *module);

/* Finds the global or static variable of host code that contains the address. Returns false when none is known. */
bool module_host_variable(const struct module *module, const void *address, struct range *variable);

/* Does a function of the module begin at this address? Functions of the device's headers do not count. */
bool module_function(const struct module *module, const void *address);

/* The bytes of the module's variables in its range device, constant or managed, without the gaps. */
size_t module_variable_bytes(const struct module *module, struct range range);

/* All translated modules. */
size_t module_count(void);
const struct module *module_at(size_t i);

#endif
