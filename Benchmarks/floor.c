/*
 * The floor: a FastCGI program with libfcgi's own loop that allows every request, as a responder and as an authorizer,
 * and does nothing else. No program with libfcgi's loop is faster.
 *
 *     floor SOCKET [THREADS]
 */
#include <fastcgi.h>
#include <fcgiapp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum { backlog = 1024, best_threads = 4, most_threads = 256 };

static int listener;

static void *answer(void *unused)
{
    FCGX_Request request;

    (void)unused;
    if (FCGX_InitRequest(&request, listener, 0) != 0) {
        return NULL;
    }
    while (FCGX_Accept_r(&request) >= 0) {
        /* The content of an authorizer's 200 is never sent to a client (FastCGI 1.0 section 6.3). */
        FCGX_PutS(request.role == FCGI_AUTHORIZER ? "Status: 200 OK\r\n\r\n"
                                                  : "Status: 200 OK\r\nContent-Type: text/plain\r\n\r\nok\n",
                  request.out);
        FCGX_Finish_r(&request);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[most_threads];
    int count = argc > 2 ? atoi(argv[2]) : best_threads;

    if (argc < 2 || argc > 3 || count < 1 || count > most_threads) {
        fprintf(stderr, "usage: floor SOCKET [THREADS, 1 to %d, default %d]\n", most_threads, best_threads);
        return 64;
    }
    if (FCGX_Init() != 0 || (listener = FCGX_OpenSocket(argv[1], backlog)) < 0) {
        fprintf(stderr, "floor: cannot listen on %s\n", argv[1]);
        return 1;
    }
    signal(SIGTERM, SIG_DFL); /* FCGX_Init's handler sets a flag, which a thread waiting in accept never reads */
    for (int started = 0; started < count; started++) {
        if (pthread_create(&threads[started], NULL, answer, NULL) != 0) {
            fprintf(stderr, "floor: cannot start thread %d\n", started + 1);
            return 1;
        }
    }
    for (int ended = 0; ended < count; ended++) {
        pthread_join(threads[ended], NULL);
    }
    return 1; /* the loop ends only on an error; SIGTERM ends the program */
}
