// Kills a process at a chosen step: LD_PRELOAD=kill_at.so KILL_AT=FILE program
//
// The steps are the calls that change or read files of the store. The file contains one integer of 64 bits, the lowest
// byte first: the number of calls that are still made. The next one does not happen, because SIGKILL ends the process.
// A negative number lets all calls pass.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static _Atomic int64_t *remaining;

__attribute__((constructor)) static void map_file(void) {
    const char *path = getenv("KILL_AT");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *memory = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *remaining, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) {
        perror("kill_at: KILL_AT");
        abort();
    }
    close(file);
    remaining = memory;
}

static void step(void) {
    if (!remaining || atomic_load(remaining) < 0) return;
    if (atomic_fetch_sub(remaining, 1) == 0) {
        kill(getpid(), SIGKILL);
        for (;;) pause();
    }
}

static int is_regular(int file) {
    struct stat status;
    return fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int file, const void *bytes, size_t count) {
    if (file > 2 && is_regular(file)) step();
    return NEXT(write)(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    if (is_regular(file)) step();
    return NEXT(pwrite)(file, bytes, count, offset);
}

int fsync(int file) {
    step();
    return NEXT(fsync)(file);
}

int fdatasync(int file) {
    step();
    return NEXT(fdatasync)(file);
}

int flock(int file, int operation) {
    step();
    return NEXT(flock)(file, operation);
}

int futimens(int file, const struct timespec times[2]) {
    step();
    return NEXT(futimens)(file, times);
}

int utimensat(int directory, const char *path, const struct timespec times[2], int flags) {
    step();
    return NEXT(utimensat)(directory, path, times, flags);
}

int linkat(int from, const char *old, int to, const char *new, int flags) {
    step();
    return NEXT(linkat)(from, old, to, new, flags);
}

int renameat(int from, const char *old, int to, const char *new) {
    step();
    return NEXT(renameat)(from, old, to, new);
}

int unlinkat(int directory, const char *path, int flags) {
    step();
    return NEXT(unlinkat)(directory, path, flags);
}
