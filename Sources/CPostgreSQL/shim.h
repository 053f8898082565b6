#pragma once

/* Debian keeps the header in a directory of its own, which no compiler searches by itself. */
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

/* The most parameters that one statement has. */
enum { cpg_maximum_parameters = 8 };

/* Types of parameters (pg_type.dat), whose numbers never change. */
static const unsigned cpg_bytea = 17;
static const unsigned cpg_int8 = 20;
static const unsigned cpg_text = 25;
static const unsigned cpg_bytea_array = 1001;
static const unsigned cpg_timestamptz = 1184;

/*
 * Sends a statement whose parameters stand one after the other in `bytes`; a negative length is NULL. With a name, the
 * server has it under that name already. In C, because libpq takes an array of pointers into the bytes, which Swift could
 * only build by allocating.
 */
static inline int cpg_send(PGconn *connection, const char *sql, const char *name, int count, const unsigned *types,
                           const int *lengths, const unsigned char *bytes) {
    const char *values[cpg_maximum_parameters];
    int formats[cpg_maximum_parameters];
    if (count > cpg_maximum_parameters) return 0;
    for (int index = 0; index < count; index++) {
        formats[index] = 1;
        if (lengths[index] < 0) {
            values[index] = NULL;
        } else if (lengths[index] == 0) {
            values[index] = "";
        } else {
            values[index] = (const char *)bytes;
            bytes += lengths[index];
        }
    }
    if (name != NULL) return PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1);
    return PQsendQueryParams(connection, sql, count, types, values, lengths, formats, 1);
}

/*
 * Begins to connect to one of the hosts that a connection string names. libpq keeps the last value of a keyword: what
 * stands before `dbname`, which is expanded, is a default; what stands behind it counts in any case. NULL and the empty
 * string are no values.
 */
static inline PGconn *cpg_connect_start(const char *target, const char *host, const char *address, const char *port,
                                        const char *password) {
    const char *keywords[] = {"target_session_attrs", "application_name", "dbname",   "client_encoding", "host",
                              "hostaddr",             "port",             "password", NULL};
    const char *values[] = {"read-write", "linkedin-signin", target, "UTF8", host, address, port, password, NULL};
    return PQconnectStartParams(keywords, values, 1);
}

static inline void cpg_ignore_notice(void *argument, const PGresult *result) {
    (void)argument;
    (void)result;
}

/* libpq would print notices to standard error. */
static inline void cpg_ignore_notices(PGconn *connection) {
    PQsetNoticeReceiver(connection, cpg_ignore_notice, NULL);
}

/* The five characters of the SQL standard's error code; NULL if the error is not the server's. */
static inline const char *cpg_error_code(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}

/* The error in one sentence, without the values that it is about. */
static inline const char *cpg_error_message(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}

/*
 * Looks up the addresses of a host, and writes them with a line break after each one. Returns 0, or the resolver's error. In C,
 * because the flags and the list of results are a chain of pointers.
 */
static inline int cpg_resolve(const char *name, char *text, size_t size) {
    struct addrinfo hints = {0}, *list = NULL;
    size_t used = 0;
    hints.ai_socktype = SOCK_STREAM;
    int error = getaddrinfo(name, NULL, &hints, &list);
    text[0] = 0;
    if (error != 0) return error;
    for (struct addrinfo *entry = list; entry != NULL; entry = entry->ai_next) {
        char address[128];
        int is_text = getnameinfo(entry->ai_addr, entry->ai_addrlen, address, sizeof address, NULL, 0, NI_NUMERICHOST) == 0;
        size_t length = is_text ? strlen(address) : 0;
        if (length == 0 || used + length + 2 > size) continue;
        memcpy(text + used, address, length);
        used += length;
        text[used++] = '\n';
        text[used] = 0;
    }
    freeaddrinfo(list);
    return 0;
}
