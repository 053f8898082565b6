#pragma once

/*
 * Parts of the C library that Swift's Glibc module leaves out.
 */

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/vfs.h>

/* Declared here because the C library's headers declare them only with _GNU_SOURCE, which Swift does not define. */
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
extern int memfd_create(const char *name, unsigned int flags);
extern int pthread_setname_np(pthread_t thread, const char *name);
extern const char *strerrorname_np(int number);

/* O_NOATIME, which also needs _GNU_SOURCE. */
static const int open_without_access_time = __O_NOATIME;

/* The first fields of struct dl_phdr_info, which also needs _GNU_SOURCE: the program, or a library that it uses. */
struct loaded_object {
    ElfW(Addr) address;
    const char *name;
    const ElfW(Phdr) *segments;
    ElfW(Half) segment_count;
};
extern int dl_iterate_phdr(int (*use)(struct loaded_object *object, size_t size, void *context), void *context);

/* The layout of struct ucred, which also needs _GNU_SOURCE: the value of SO_PEERCRED. */
struct peer_credentials {
    pid_t pid;
    uid_t uid;
    gid_t gid;
};

/*
 * Writes the buffer of standard output. Returns -1 and sets errno if this or an earlier write failed. In C because
 * `stdout` is a mutable global variable, which Swift 6 does not let concurrent code read.
 */
static inline int flush_standard_output(void) {
    if (fflush(stdout) != 0) return -1;
    if (!ferror(stdout)) return 0;
    errno = EIO;
    return -1;
}
