#pragma once

#include <curl/curl.h>
#include <pthread.h>

/*
 * curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt are variadic functions, which Swift cannot call. Here is
 * one function for each type of argument that is used; the type must be the one that the option documents.
 */

/* For options documented as `long`, which is wider than the `int` that a C call would pass by default. */
static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

/* For options documented as `char *`; libcurl copies the text. */
static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

/* For CURLOPT_WRITEDATA and its kin, CURLOPT_COPYPOSTFIELDS and CURLOPT_HTTPHEADER, which take object pointers. */
static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value) {
    return curl_easy_setopt(easy, option, value);
}

/* For CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION: a function pointer is no object pointer. */
static inline CURLcode ccurl_set_write_function(CURL *easy, CURLoption option, curl_write_callback function) {
    return curl_easy_setopt(easy, option, function);
}

/* For CURLOPT_PREREQFUNCTION. */
static inline CURLcode ccurl_set_prereq_function(CURL *easy, curl_prereq_callback function) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}

/* For facts documented as `long *`. */
static inline CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

/* For CURLINFO_ACTIVESOCKET, documented as `curl_socket_t *`, which is an int. */
static inline CURLcode ccurl_get_socket(CURL *easy, CURLINFO info, curl_socket_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

/* For options of the multi handle documented as `long`. */
static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/* The name of a thread in `ps` and `top`: the C library's header hides it from Swift, which defines no _GNU_SOURCE. */
extern int pthread_setname_np(pthread_t thread, const char *name);
