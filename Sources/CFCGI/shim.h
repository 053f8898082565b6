#pragma once

#include <errno.h>
#include <fcgiapp.h>
#include <stdio.h>
/* Swift's Glibc module leaves epoll, eventfd and signalfd out. */
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>

/* The C library hides these behind _GNU_SOURCE, which Swift does not define. */
int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
int memfd_create(const char *name, unsigned int flags);
const char *strerrorname_np(int number);
/* The layout of struct ucred, hidden likewise: what SO_PEERCRED fills in. */
struct peer_credentials {
    pid_t pid;
    uid_t uid;
    gid_t gid;
};

/*
 * Writes what was printed; 0, or the error number of the first write that failed. In C, because `stdout` is a mutable
 * global, which Swift 6 does not let concurrent code read.
 */
static inline int flush_standard_output(void) {
    if (fflush(stdout) != 0) return errno;
    return ferror(stdout) ? EIO : 0;
}
