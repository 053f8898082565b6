#pragma once

#include <fcgiapp.h>
/* Swift's Glibc module leaves epoll and eventfd out. */
#include <sys/epoll.h>
#include <sys/eventfd.h>
