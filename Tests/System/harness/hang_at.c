// Blocks each thread that asks for the status of one file: LD_PRELOAD=hang_at.so HANG_AT=FILE program
//
// Like a file on a network drive whose server does not answer. It ends when FILE.answer exists.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int stat(const char *path, struct stat *status) {
    const char *hanging = getenv("HANG_AT");
    char answer[4096];
    if (hanging && strcmp(path, hanging) == 0) {
        snprintf(answer, sizeof answer, "%s.answer", hanging);
        while (access(answer, F_OK) != 0) usleep(10000);
    }
    return ((__typeof__(&stat))dlsym(RTLD_NEXT, "stat"))(path, status);
}
