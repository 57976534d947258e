// Workers that run replicas of a flowgraph, each on its own stretches of the items.
#pragma once

#include <cstddef>
#include <deque>

#include "weir/app.hpp"
#include "weir/param.hpp"
#include "weir/stretch.hpp"
#include "weir/worker_schedule.hpp"

namespace weir {

/// `Replica`: a flowgraph whose `worker_schedule(ScheduledWorker&, Stretches&)` processes stretches until none is left.
template <class Replica, std::size_t N> class Replicated {
  public:
    [[gnu::cold]] Replicated() {
        for (std::size_t i = 0; i < N; ++i) replicas_.emplace_back();
        if constexpr (requires(Replica& replica) { replica.share(replica); }) {
            for (std::size_t i = 1; i < N; ++i) replicas_[i].share(replicas_[0]);
        }
    }

    void tasks(TaskList& list) {
        for (Replica& replica : replicas_) {
            replica.tasks(list);
            list.end_replica();
        }
    }
    void places(PlaceList& list) { replicas_.front().places(list); }
    void parameters(ParamTable& table) {
        for (Replica& replica : replicas_) replica.parameters(table);
    }
    WorkerSchedules worker_schedules() {
        WorkerSchedules all;
        for (Replica& replica : replicas_) {
            all.emplace_back([this, &replica](ScheduledWorker& at) { replica.worker_schedule(at, stretches_); });
        }
        return all;
    }

  private:
    std::deque<Replica> replicas_;  // a deque, because replicas must not move
    Stretches stretches_;
};

}  // namespace weir
