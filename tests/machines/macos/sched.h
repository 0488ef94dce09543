/* What the engine takes from macOS's <sched.h>, after POSIX and the manual pages. See cmake/macos.cmake. */
#ifndef MACOS_SCHED_H
#define MACOS_SCHED_H

int sched_yield(void);

#endif
