// A chain over four threads, many times: exits 0 when every sink has the whole stream in order, 1 when one has not, and dies of
// SIGALRM when a run hangs. `test_mutants.py` builds it against runtimes with one line spoilt.
#include <unistd.h>

#include <cstdio>

#include "test_blocks.hpp"
#include "thread_per_block/thread_per_block.hpp"
#include "weir/node.hpp"
#include "weir/run.hpp"

namespace {

using namespace weir;
using namespace weir::testing;

struct Chain {
    std::size_t buffer, chunk;
    std::uint64_t items, seed;
    StreamSpec wire(std::string_view name) const { return {.name = name, .items = buffer, .kind = StreamKind::ring}; }

    Stream<Item> source_out{wire("source.out")}, affine_out{wire("affine.out")}, head_out{wire("head.out")};
    Node<Source> source{{.name = "source", .chunk_items = chunk}, {.salt = 2, .seed = seed}, ins(), outs(source_out)};
    Node<Affine> affine{{.name = "affine", .chunk_items = chunk}, {seed + 1}, ins(source_out), outs(affine_out)};
    Node<Head> head{{.name = "head", .chunk_items = chunk}, {items, seed + 2}, ins(affine_out), outs(head_out)};
    Node<Sink> sink{{.name = "sink", .chunk_items = chunk}, {0, seed + 3}, ins(head_out), outs()};
    std::vector<Task*> tasks() { return {&source, &affine, &head, &sink}; }
    std::vector<StreamBase*> streams() { return {&source_out, &affine_out, &head_out}; }
};

bool whole_stream_arrives(std::uint64_t seed) {
    Chain chain{.buffer = 1 + seed % 61, .chunk = 1 + seed % 17, .items = 1 + splitmix64(seed) % 3'000, .seed = 4 * seed + 1};
    Plan plan;
    for (Task* task : chain.tasks()) plan.workers.push_back({task->spec().name, {}, {task->spec().name}});
    Run run(plan, chain.tasks(), chain.streams());
    schedulers::ThreadPerBlock{}.run(run);
    std::uint64_t digest = 0;
    for (std::uint64_t i = 0; i < chain.items; ++i) digest += mix64(i, Affine::of(source_item(i, 2)));
    return run.outcome().complete && chain.sink.digest() == digest;
}

}  // namespace

int main() {
    constexpr unsigned kLimitSeconds = 10;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        ::alarm(kLimitSeconds);
        if (!whole_stream_arrives(seed)) {
            std::printf("wrong answer at seed %llu\n", static_cast<unsigned long long>(seed));
            return 1;
        }
    }
    return 0;
}
