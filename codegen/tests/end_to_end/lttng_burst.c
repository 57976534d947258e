// burst N [wait] [all]: boundaries 1..N of block 0 (tx) and block 1 (rx) as fast as it can, with every other event
// where `all` is said. It waits for a line halfway where `wait` is.
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "weir_tracepoints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
    unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    int wait = argc > 2 && strcmp(argv[2], "wait") == 0;
    int all = argc > 2 && strcmp(argv[argc - 1], "all") == 0;
    for (unsigned long k = 1; k <= n; ++k) {
        if (all) lttng_ust_tracepoint(weir, work_entry, 0);
        lttng_ust_tracepoint(weir, tx, 0, k, k % 2 ? (long)k : 0);
        if (all) {
            lttng_ust_tracepoint(weir, work_exit, 0, 3 * k);
            lttng_ust_tracepoint(weir, park, 2);
            lttng_ust_tracepoint(weir, unpark, 2);
        }
        lttng_ust_tracepoint(weir, rx, 1, k, -(long)k);
        if (wait && k == n / 2) {
            puts("half");
            fflush(stdout);
            getchar();
        }
    }
    return 0;
}
