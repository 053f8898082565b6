#pragma once

#include <curl/curl.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdbool.h>

/*
 * curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt are variadic functions, which Swift cannot call. This file
 * has one function for each type of argument; the type must be the one that the option documents.
 */

/*
 * Constants that libcurl's headers define as macros or as enumerators without a type. Swift derives the type of such a
 * constant from its spelling, which differs between versions of curl. Here each has the type of the call that takes it.
 */
static const long ccurl_global_default = CURL_GLOBAL_DEFAULT;
static const long ccurl_multiplex = CURLPIPE_MULTIPLEX;
static const long ccurl_http_1_1 = CURL_HTTP_VERSION_1_1;
static const long ccurl_tls_1_2 = CURL_SSLVERSION_TLSv1_2;
static const long ccurl_tls_1_2_to_1_3 = CURL_SSLVERSION_TLSv1_2 | CURL_SSLVERSION_MAX_TLSv1_3;
static const int ccurl_prereq_ok = CURL_PREREQFUNC_OK;
static const int ccurl_prereq_abort = CURL_PREREQFUNC_ABORT;
static const unsigned ccurl_disallow_user = CURLU_DISALLOW_USER;
static const unsigned ccurl_punycode = CURLU_PUNYCODE;

/* The file of certificate authorities that libcurl uses by default: a constant; NULL if it uses none. */
static inline const char *ccurl_authority_file(void) { return curl_version_info(CURLVERSION_NOW)->cainfo; }

/* CURLE_TOO_LARGE, which headers before 8.6.0 lack: a program built with them may run with a later libcurl. */
static const CURLcode ccurl_too_large = (CURLcode)100;

/* For options documented as `long`, which is wider than the `int` that a C call would pass by default. */
static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

/* For options documented as `char *`; libcurl copies the text. */
static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

/* For CURLOPT_WRITEDATA and similar options, CURLOPT_COPYPOSTFIELDS and CURLOPT_HTTPHEADER, which take object pointers. */
static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value) {
    return curl_easy_setopt(easy, option, value);
}

/* For CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION: a function pointer is not an object pointer. */
static inline CURLcode ccurl_set_write_function(CURL *easy, CURLoption option, curl_write_callback function) {
    return curl_easy_setopt(easy, option, function);
}

/* For CURLOPT_DEBUGFUNCTION. */
static inline CURLcode ccurl_set_debug_function(CURL *easy, curl_debug_callback function) {
    return curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, function);
}

/* For CURLOPT_PREREQFUNCTION. */
static inline CURLcode ccurl_set_prereq_function(CURL *easy, curl_prereq_callback function) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}

/* Values of CURLINFO_SSL_VERIFYRESULT; these are macros of OpenSSL. */
static const long ccurl_certificate_accepted = X509_V_OK;
/* libcurl's value if OpenSSL found no fault, but libcurl did. */
static const long ccurl_certificate_unjudged = X509_V_ERR_UNSPECIFIED;
static const long ccurl_certificate_expired = X509_V_ERR_CERT_HAS_EXPIRED;
static const long ccurl_certificate_not_yet_valid = X509_V_ERR_CERT_NOT_YET_VALID;
static const long ccurl_certificate_self_signed = X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT;
static const long ccurl_chain_self_signed = X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN;
static const long ccurl_issuer_unknown = X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT;
static const long ccurl_issuer_unknown_locally = X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY;
static const long ccurl_leaf_unverifiable = X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE;

/* OpenSSL's text for any other such result: a constant. */
static inline const char *ccurl_certificate_fault(long result) { return X509_verify_cert_error_string(result); }

/* For information documented as `long *`. */
static inline CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

/* For CURLINFO_ACTIVESOCKET, documented as `curl_socket_t *`, which is an int. */
static inline CURLcode ccurl_get_socket(CURL *easy, CURLINFO info, curl_socket_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

/*
 * Whether the certificate of the transfer's server has a host among its subjectAltNames: an address without brackets,
 * or a name in ASCII. A wildcard stands for a whole label (RFC 9525 section 6.3). The subject is not used (section 2),
 * although libcurl accepts its common name if there are no alternative names.
 *
 * In C because libcurl returns OpenSSL's object as a `void *` in a structure of its own.
 */
static inline bool ccurl_is_certified(CURL *easy, const char *host) {
    struct curl_tlssessioninfo *session = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || session == NULL) return false;
    if (session->backend != CURLSSLBACKEND_OPENSSL || session->internals == NULL) return false;
    X509 *certificate = SSL_get0_peer_certificate((SSL *)session->internals);
    if (certificate == NULL) return false;
    int match = X509_check_ip_asc(certificate, host, 0);
    /* -2: the host is not an address. */
    const unsigned flags = X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS;
    if (match == -2) match = X509_check_host(certificate, host, 0, flags, NULL);
    return match == 1;
}

/*
 * The end of the certificate of the transfer's server, in seconds since 1970; -1 if it is not known. In C for the same
 * reason.
 */
static inline long long ccurl_certificate_end(CURL *easy) {
    struct curl_tlssessioninfo *session = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || session == NULL) return -1;
    if (session->backend != CURLSSLBACKEND_OPENSSL || session->internals == NULL) return -1;
    X509 *certificate = SSL_get0_peer_certificate((SSL *)session->internals);
    if (certificate == NULL) return -1;
    int days = 0, seconds = 0;
    ASN1_TIME *epoch = ASN1_TIME_set(NULL, 0);
    const bool is_known = epoch && ASN1_TIME_diff(&days, &seconds, epoch, X509_get0_notAfter(certificate)) == 1;
    ASN1_TIME_free(epoch);
    return is_known ? (long long)days * 86400 + seconds : -1;
}

/* For options of the multi handle documented as `long`. */
static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
