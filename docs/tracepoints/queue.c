// queue [ITEMS]: the flowgraph of examples/quickstart.weir.json in plain C. Three threads, for the source, for the gain
// and the stages, and for the sink, pass blocks of items through queues with a mutex.
//
//     gcc -std=c11 -O2 -I. queue.c -o queue -pthread -llttng-ust -ldl
//
// -DREVISION='"…"' gives the program the commit that it is built from.
#define _POSIX_C_SOURCE 200809L
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "tracepoints.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kSource = 1, kSink = 2, kGranularity = 32768, kBlock = 4096, kPlaces = 16, kStages = 4 };

struct Block {
    size_t count;  // 0 ends the stream
    float items[kBlock];
};

struct Queue {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint64_t written, read;
    struct Block blocks[kPlaces];
};

static struct Queue first = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, {{0}}};
static struct Queue second = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, {{0}}};
static uint64_t total = 100000000;

// Time of CLOCK_MONOTONIC, the clock of the tracer.
static int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static uint64_t splitmix64(uint64_t x) {
    x += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

// Return the block to write, or the next one to read. It stays the caller's until `done`.
static struct Block* to_write(struct Queue* queue) {
    pthread_mutex_lock(&queue->mutex);
    while (queue->written - queue->read == kPlaces) pthread_cond_wait(&queue->changed, &queue->mutex);
    struct Block* block = &queue->blocks[queue->written % kPlaces];
    pthread_mutex_unlock(&queue->mutex);
    return block;
}

static struct Block* to_read(struct Queue* queue) {
    pthread_mutex_lock(&queue->mutex);
    while (queue->written == queue->read) pthread_cond_wait(&queue->changed, &queue->mutex);
    struct Block* block = &queue->blocks[queue->read % kPlaces];
    pthread_mutex_unlock(&queue->mutex);
    return block;
}

static void done(struct Queue* queue, uint64_t* count) {
    pthread_mutex_lock(&queue->mutex);
    ++*count;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->mutex);
}

// Return the number of items that have left the source.
static uint64_t sent_items(void) {
    pthread_mutex_lock(&first.mutex);
    const uint64_t items = first.written * kBlock;
    pthread_mutex_unlock(&first.mutex);
    return items < total ? items : total;
}

static void* source(void* unused) {
    uint64_t sent = 0;
    size_t count;
    do {
        struct Block* block = to_write(&first);
        count = total - sent < kBlock ? (size_t)(total - sent) : kBlock;
        for (size_t i = 0; i < count; ++i) block->items[i] = (float)((sent + i) % 1021);
        block->count = count;
        // Record before the items leave.
        for (uint64_t k = sent / kGranularity + 1; k * kGranularity <= sent + count; ++k) {
            lttng_ust_tracepoint(weir, tx, kSource, k, 0);
        }
        sent += count;
        done(&first, &first.written);
    } while (count > 0);
    return unused;
}

static void* stages(void* unused) {
    size_t count;
    do {
        struct Block* in = to_read(&first);
        struct Block* out = to_write(&second);
        count = out->count = in->count;
        for (size_t i = 0; i < count; ++i) {
            float y = 2.0F * in->items[i];
            for (int stage = 0; stage < kStages; ++stage) y = 1.0F * y + 1.0F;
            out->items[i] = y;
        }
        done(&first, &first.read);
        done(&second, &second.written);
    } while (count > 0);
    return unused;
}

// Write the model of the CPU as a JSON string, without which `weir compare` does not compare runs.
static void print_cpu(FILE* file) {
    char line[256], model[200] = "";
    FILE* cpuinfo = fopen("/proc/cpuinfo", "r");
    while (cpuinfo && !*model && fgets(line, sizeof line, cpuinfo)) {
        sscanf(line, "model name : %199[^\n\"\\]", model);
    }
    if (cpuinfo) fclose(cpuinfo);
    fprintf(file, *model ? "\"%s\"" : "null", model);
}

int main(int argc, char** argv) {
    if (argc > 1) total = strtoull(argv[1], NULL, 10);
    const uint64_t warmup = total / 10;
    const int64_t started_ns = now_ns();
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, source, NULL);
    pthread_create(&threads[1], NULL, stages, NULL);

    uint64_t received = 0, digest = 0, sent_at_begin = 0;
    int64_t begin_ns = 0;
    for (;;) {
        struct Block* block = to_read(&second);
        const int64_t entry_ns = now_ns();
        const size_t count = block->count;
        if (count == 0) break;
        for (size_t i = 0; i < count; ++i) {
            uint32_t bits;
            memcpy(&bits, &block->items[i], sizeof bits);
            digest += splitmix64(bits ^ splitmix64(received + i));
        }
        done(&second, &second.read);
        // Record after the items were consumed.
        for (uint64_t k = received / kGranularity + 1; k * kGranularity <= received + count; ++k) {
            lttng_ust_tracepoint(weir, rx, kSink, k, entry_ns);
        }
        received += count;
        if (begin_ns == 0 && received >= warmup) {
            sent_at_begin = sent_items();
            begin_ns = now_ns();
        }
    }
    const uint64_t sent_at_end = sent_items();
    const int64_t end_ns = now_ns();
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);

    FILE* file = fopen("results.json", "w");
    if (!file) return 1;
    fprintf(file,
            "{\"schema_version\": 1,\n"
            " \"runtime\": {\"target\": \"queue\", \"version\": \"1.0\"},\n"
            " \"scheduler\": \"one thread each, queues with a mutex\",\n"
            " \"numbers\": {\"source\": %d, \"sink\": %d},\n"
            " \"items\": %" PRIu64 ", \"warmup_items\": %" PRIu64
            ",\n"
            " \"sinks\": [{\"id\": \"sink\", \"items\": %" PRIu64 ", \"digest\": \"%016" PRIx64
            "\"}],\n"
            " \"elapsed_s\": %.9f,\n"
            " \"window\": {\"begin_ns\": %" PRId64 ", \"end_ns\": %" PRId64
            "},\n"
            " \"throughput_items_per_s\": %.1f,\n"
            " \"trace\": {\"probe_granularity\": %d, \"events\": %" PRIu64 "},\n",
            kSource, kSink, total, warmup, received, digest, (double)(end_ns - started_ns) * 1e-9, begin_ns, end_ns,
            (double)(sent_at_end - sent_at_begin) / ((double)(end_ns - begin_ns) * 1e-9), kGranularity,
            2 * (total / kGranularity));
    fprintf(file, " \"environment\": {\"cpu\": ");
    print_cpu(file);
#ifdef REVISION
    fprintf(file, ", \"git_revision\": \"%s\"", REVISION);
#endif
    fprintf(file, "}}\n");
    return fclose(file) == 0 ? 0 : 1;
}
