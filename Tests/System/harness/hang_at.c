// Blocks each thread that opens one file: LD_PRELOAD=hang_at.so HANG_AT=FILE program
//
// Like a file on a network drive whose server does not answer. It ends when FILE.answer exists.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

int open(const char *path, int flags, ...) {
    const char *hanging = getenv("HANG_AT");
    char answer[4096];
    va_list rest;
    va_start(rest, flags);
    // The caller passes a mode only with some flags; the system ignores the mode without those flags.
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    if (hanging && strcmp(path, hanging) == 0) {
        snprintf(answer, sizeof answer, "%s.answer", hanging);
        while (access(answer, F_OK) != 0) usleep(10000);
    }
    return ((__typeof__(&open))dlsym(RTLD_NEXT, "open"))(path, flags, mode);
}
