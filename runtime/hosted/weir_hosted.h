/* C interface of a flowgraph of Weir's blocks, for programs in other languages: they call the blocks and control the
   run. guest.hpp explains the structs. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weir_run weir_run;

typedef struct weir_port {
    void* items;
    size_t size;
    bool over;
    void* end;
    void (*moved)(void* end, size_t items);
} weir_port;

/* C has no typed enumerations. NOLINTNEXTLINE(performance-enum-size) */
enum { WEIR_AT_CHANGE, WEIR_AT_ONCE, WEIR_AT_TIME, WEIR_OVER, WEIR_CLOSES, WEIR_STAYS };

typedef struct weir_turn {
    uint8_t next;
    bool moved;
    bool wants_more;
    int64_t wake_ns; /* CLOCK_MONOTONIC */
} weir_turn;

typedef struct weir_rest {
    weir_turn turn;
    size_t read;
    size_t written;
} weir_rest;

typedef struct weir_direct {
    void* block;
    bool (*call)(void* block, const void* in, size_t in_size, void* out, size_t out_size, weir_rest*);
} weir_direct;

/* Run the whole program: options, runs, results. Returns its exit code. `go` is called for each run and returns when it
 * is over. */
int weir_main(int argc, char** argv, void (*go)(weir_run*));

/* Functions of a run. Instances are numbered as in the plan. */
weir_turn weir_turn_of(weir_run*, size_t instance, const weir_port* ins, const weir_port* outs); /* call its work */
weir_direct weir_direct_of(weir_run*, size_t instance); /* shorter way to call its work */
void weir_left(weir_run*, size_t instance, size_t unread); /* release it: there are no more calls */
void weir_granted(weir_run*, size_t instance, size_t output, size_t items); /* report the buffer of an output */
size_t weir_items_in(const weir_run*, size_t instance, size_t input); /* items that a firing reads */
size_t weir_items_out(const weir_run*, size_t instance, size_t output); /* items that a firing writes */

/* Functions for an instance that a native block of the peer runtime replaces: it is not called in this run. */
bool weir_unwatched(const weir_run*, size_t instance); /* whether the run needs only its item counts */
uint64_t weir_bound(const weir_run*, size_t instance); /* items after which it ends; UINT64_MAX: never */
void weir_stand_aside(weir_run*, size_t instance);
/* Report the items that the native block has moved, as far as it knows them. */
void weir_report_items(weir_run*, size_t instance, uint64_t items_in, uint64_t items_out);
bool weir_recorded(const weir_run*, size_t instance, size_t output); /* whether the run records its items */
void weir_record(weir_run*, size_t instance, size_t output, const void* items, size_t count);

bool weir_stopping(const weir_run*);
void weir_failed(weir_run*, const char* message);

/* Functions for the peer runtime's threads, one per worker of the plan. Each thread calls weir_enter before it calls an
   instance. It becomes the worker that has its CPU, or another one, and returns behind the start barrier. At its end,
   the thread calls weir_leave. */
void weir_enter(weir_run*);
void weir_leave(weir_run*);

/* Alternative to weir_enter: the thread becomes this worker and is pinned to its CPUs. If that is impossible, the run
 * fails. */
void weir_enter_as(weir_run*, size_t worker);

/* Pin the calling thread, and its later children, to these CPUs; without CPUs, to those that it may use now. Returns
   false if that is impossible; then the run fails. */
bool weir_keep_to(weir_run*, const size_t* cpus, size_t count);

#ifdef __cplusplus
}
#endif
