/* A flowgraph of Weir's blocks as a program in another language sees it: blocks to be called, and a run that it makes. In C, so that
   any language has it. What the structs mean is said in guest.hpp. */
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

/* C has no types for them. NOLINTNEXTLINE(performance-enum-size) */
enum { WEIR_AT_CHANGE, WEIR_AT_ONCE, WEIR_AT_TIME, WEIR_OVER, WEIR_CLOSES, WEIR_STAYS };

typedef struct weir_turn {
    uint8_t next;
    bool moved;
    bool wants_more;
    int64_t wake_ns; /* CLOCK_MONOTONIC */
} weir_turn;

/* The whole program: options, runs, results. Returns its exit code. `go` is called for each run and returns when it is over. */
int weir_main(int argc, char** argv, void (*go)(weir_run*));

/* Of a run. Instances go by their number in the plan. */
weir_turn weir_turn_of(weir_run*, size_t instance, const weir_port* ins,
                       const weir_port* outs); /* a call of its work */
void weir_left(weir_run*, size_t instance, size_t unread); /* it is not called any more */
void weir_granted(weir_run*, size_t instance, size_t output, size_t items); /* the buffer behind an output */

/* Of an instance in whose place a block of the runtime's own works: it is not called in this run. */
bool weir_unwatched(const weir_run*, size_t instance); /* whether the run watches nothing at it */
void weir_stand_aside(weir_run*, size_t instance);
void weir_tell(weir_run*, size_t instance, uint64_t items_in,
               uint64_t items_out); /* moved by the other one; as far as that says */
bool weir_recorded(const weir_run*, size_t instance, size_t output); /* whether its items are to be recorded */
void weir_record(weir_run*, size_t instance, size_t output, const void* items, size_t count);

bool weir_stopping(const weir_run*);
void weir_failed(weir_run*, const char* message);

/* Of its threads, of which it has as many as the plan has workers. Each calls the first one before it calls an instance, and becomes the
   worker that has its CPU, or any; that returns behind the start barrier. And the second one in the end. */
void weir_enter(weir_run*);
void weir_leave(weir_run*);

/* Instead of the first: the thread becomes this worker, and is kept to its CPUs. Where it cannot be, the run has failed. */
void weir_enter_as(weir_run*, size_t worker);

/* Keeps the calling thread, and those that it makes, to these CPUs; of none: to those that it may use now. False: it cannot, and the run
   has failed. */
bool weir_keep_to(weir_run*, const size_t* cpus, size_t count);

#ifdef __cplusplus
}
#endif
