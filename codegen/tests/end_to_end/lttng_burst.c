// Writes boundaries 1..N of block 0 (tx) and block 1 (rx) as fast as it can, then waits for a line where asked to.
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "weir_tracepoints.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    for (unsigned long k = 1; k <= n; ++k) {
        lttng_ust_tracepoint(weir, tx, 0, k, 0);
        lttng_ust_tracepoint(weir, rx, 1, k);
        if (argc > 2 && k == n / 2) {
            puts("half");
            fflush(stdout);
            getchar();
        }
    }
    return 0;
}
