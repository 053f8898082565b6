// Shows the thread sanitizer the order that a contended Mutex makes: loaded before Swift's own libraries into a process
// under test.
//
// On Linux the uncontended half of Mutex.withLock is compiled into its caller, where the sanitizer sees the compare and
// exchange. The other half waits in the kernel, in a library that was not instrumented: who got the lock there has, for
// the sanitizer, never taken it, and every access under it would be a race with the access before. So these two functions
// stand before the library's of the same mangled names, call those, and tell what happened.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Weak: the processes around the tests load this library too, and there is no sanitizer in them.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

// Swift's calling convention, with `self`, the address of the lock's word, in a register of its own.
#define METHOD __attribute__((swiftcall)) void
#define SELF __attribute__((swift_context)) void *word

// Synchronization._MutexHandle._lockSlow(UInt32) and _unlockSlow()
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

static METHOD (*library_lock_slow)(uint32_t thread, SELF);
static METHOD (*library_unlock_slow)(SELF);

__attribute__((constructor)) static void find_library(void) {
    *(void **)&library_lock_slow = dlsym(RTLD_NEXT, LOCK_SLOW);
    *(void **)&library_unlock_slow = dlsym(RTLD_NEXT, UNLOCK_SLOW);
    if (__tsan_acquire && !(library_lock_slow && library_unlock_slow)) {
        fputs("contended-mutex: Swift's Synchronization has no functions of these names any more\n", stderr);
        abort();
    }
}

METHOD lock_slow(uint32_t thread, SELF) __asm__(LOCK_SLOW);
METHOD lock_slow(uint32_t thread, SELF) {
    library_lock_slow(thread, word);
    if (__tsan_acquire) __tsan_acquire(word);
}

METHOD unlock_slow(SELF) __asm__(UNLOCK_SLOW);
METHOD unlock_slow(SELF) {
    if (__tsan_release) __tsan_release(word);
    library_unlock_slow(word);
}
