#include "weir/section.hpp"

#include "weir/worker_loop.hpp"

namespace weir {

void run_sections(Run& run, const Sections& sections) {
    run.launch(run.plan().workers, [&sections](Worker& worker) {
        const auto& section = sections[worker.index];
        if (!section) return run_bound_worker(worker);
        Section at(worker);
        section(at);
    });
}

}  // namespace weir
