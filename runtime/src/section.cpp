#include "weir/section.hpp"

namespace weir {

void run_sections(Run& run, const Sections& sections) {
    run.launch(run.plan().workers, [&sections](Worker& worker) {
        Section at(worker);
        sections[worker.index](at);
    });
}

}  // namespace weir
