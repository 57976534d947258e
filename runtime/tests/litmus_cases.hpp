// What two threads do in a round of `litmus.cpp`: one changes something and then looks for who waits; the other says
// that it waits and then looks at what may have changed. That both miss the other is the outcome that the total order
// of seq_cst forbids (`wait.hpp`, `task_state.hpp`, `job_pool.cpp`). Each case is the runtime's own code.
//
//     changer    on one thread                  looker    on the other
//     missed     neither saw the other; on the looker's thread while the changer waits, and makes the next round ready
//     glance     loads what the thread's part loads, so that it has the cache lines; on both threads before a round
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "idle_task.hpp"
#include "weir/job_pool.hpp"
#include "weir/job_ring.hpp"
#include "weir/ports.hpp"
#include "weir/run.hpp"
#include "weir/stream.hpp"
#include "weir/task_state.hpp"
#include "weir/wait.hpp"

namespace weir::litmus {

/// A ring between two tasks, and their ports on it: one each.
struct Wire {
    testing::IdleTask writer{"writer"}, reader{"reader"};
    std::optional<Stream<std::uint32_t>> stream;
    std::vector<OutPort> outs;
    std::vector<InPort> ins;

    Wire() { renew(); }
    void renew() {
        outs.clear();
        ins.clear();
        stream.emplace(StreamSpec{.name = "writer.out", .items = 16, .kind = StreamKind::ring});
        outs.emplace_back(&*stream, writer, 1, 1, sizeof(std::uint32_t));
        ins.emplace_back(*stream, reader, 1, 1);
    }
    StreamBase::Reader& end() const noexcept { return *ins.front().reader; }

    // A turn's end, as `Node::close`.
    void end_turn_of_writer() noexcept {
        std::vector<InPort> none;
        outs.front().settle(false);
        wake_other_ends(none, outs);
    }
    void end_turn_of_reader() noexcept {
        std::vector<OutPort> none;
        ins.front().settle();
        wake_other_ends(ins, none);
    }
};

// The three changes of a stream. `waiting` is the task that the change concerns; `glance` loads what `sees_it` loads,
// and writes nothing.

struct Write : Wire {
    Instance& waiting() const noexcept { return *stream->reader_task(0); }
    void change() noexcept {
        ++outs.front().made;
        end_turn_of_writer();
    }
    bool sees_it() noexcept { return stream->readable(end(), 1).total != 0; }
    void glance() const noexcept { static_cast<void>(stream->fill(0)); }
    void undo() noexcept {
        static_cast<void>(sees_it());
        stream->consume(end(), 1);
    }
};

struct Read : Wire {
    Read() { stream->produce(stream->capacity()); }
    Instance& waiting() const noexcept { return *stream->writer_task(); }
    void change() noexcept {
        ++ins.front().taken;
        end_turn_of_reader();
    }
    bool sees_it() noexcept { return stream->writable(1, 1).total != 0; }
    void glance() const noexcept { static_cast<void>(stream->fill(0)); }
    void undo() noexcept {
        static_cast<void>(sees_it());
        stream->produce(1);
    }
};

struct EndOfStream : Wire {
    Instance& waiting() const noexcept { return *stream->reader_task(0); }
    void change() noexcept {
        outs.front().finish();
        end_turn_of_writer();
    }
    bool sees_it() noexcept { return stream->readable(end(), 1).ended; }
    void glance() const noexcept { static_cast<void>(stream->ended()); }
    void undo() { renew(); }
};

/// A worker that parks on an EventCount, as `Waiting::park` does, and whoever commits to one of its streams.
template <class Change> class Park : Waker {
  public:
    Park() { change_.waiting().set_waker(this); }
    void changer() noexcept { change_.change(); }
    void looker() noexcept {
        key_ = events_.prepare();
        found_ = change_.sees_it();
    }
    bool missed() {
        const bool lost = !found_ && events_.prepare() == key_;  // it would sleep: nobody has moved the epoch
        events_.cancel();
        change_.waiting().set_waker(nullptr);
        change_.undo();
        change_.waiting().set_waker(this);
        return lost;
    }
    void changer_glances() noexcept { change_.waiting().wake(); }  // nobody waits yet: loads
    void looker_glances() noexcept { change_.glance(); }

  private:
    void wake(Instance&) noexcept override { events_.notify(); }

    EventCount events_;
    Change change_;
    EventCount::Key key_ = 0;
    bool found_ = false;
};

/// A worker that parks, and `Run::stop`.
class ParkStop {
  public:
    ParkStop() {
        plan_.workers = {{"w0", {}, {}}};
        renew();
    }
    void changer() noexcept { run_->stop(); }
    void looker() noexcept {
        key_ = events_->prepare();
        found_ = run_->stopping();
    }
    bool missed() {
        const bool lost = !found_ && events_->prepare() == key_;
        renew();
        return lost;
    }
    void changer_glances() noexcept { run_->wake_all(); }
    void looker_glances() noexcept { static_cast<void>(run_->stopping()); }

  private:
    /// The events of a run are made in `launch`, and outlive its workers.
    void renew() {
        run_.emplace(plan_, std::vector<Task*>{}, std::vector<StreamBase*>{});
        run_->launch(plan_.workers, [this](Worker& worker) { events_ = worker.events; });
    }

    Plan plan_;
    std::optional<Run> run_;
    EventCount* events_ = nullptr;
    EventCount::Key key_ = 0;
    bool found_ = false;
};

/// A worker that claims a queued job, finds too little and lets it rest, and whoever commits to one of its streams.
template <class Change> class Claim : Waker {
  public:
    Claim() {
        change_.waiting().set_waker(this);
        state_.emplace();
    }
    void changer() noexcept { change_.change(); }
    void looker() noexcept {
        static_cast<void>(state_->claim());
        found_ = change_.sees_it();
        rests_ = !found_ && state_->rest();
    }
    bool missed() {
        const bool lost = rests_ && !queued_;
        change_.waiting().set_waker(nullptr);
        change_.undo();
        change_.waiting().set_waker(this);
        state_.emplace();
        queued_ = false;
        return lost;
    }
    void changer_glances() noexcept { change_.waiting().wake(); }  // it is queued: loads
    void looker_glances() noexcept { change_.glance(); }

  private:
    void wake(Instance&) noexcept override { queued_ = state_->wake(); }

    alignas(kCacheLine) std::optional<TaskState> state_;
    alignas(kCacheLine) Change change_;
    bool queued_ = false;  ///< the changer's; read when both are through
    alignas(kCacheLine) bool found_ = false;
    bool rests_ = false;
};

/// A worker that goes to bed, and one that puts a job into its ring: `JobPool::put` under work_stealing.
class BedRing {
  public:
    void changer() noexcept {
        ring_.put(job_);
        chosen_ = sleepers_.choose();
    }
    void looker() noexcept {
        sleepers_.add(1);
        found_ = ring_.take() != nullptr;
    }
    bool missed() noexcept {
        const bool lost = !found_ && chosen_ < 0;
        if (!found_) static_cast<void>(ring_.take());
        static_cast<void>(sleepers_.remove(1));
        return lost;
    }
    void changer_glances() noexcept { static_cast<void>(sleepers_.choose()); }
    void looker_glances() noexcept { static_cast<void>(ring_.take()); }

  private:
    Job job_;
    JobRing ring_{1};
    alignas(kCacheLine) Sleepers sleepers_{2};
    alignas(kCacheLine) std::ptrdiff_t chosen_ = -1;
    alignas(kCacheLine) bool found_ = false;
};

/// A worker that goes to bed, and one whose list has had its turn: `JobPool::after_turn` under thread_pool.
class BedState {
  public:
    BedState() { renew(); }
    void changer() noexcept {
        state_->yield();
        chosen_ = sleepers_.choose();
    }
    void looker() noexcept {
        sleepers_.add(1);
        found_ = is_queued();
    }
    bool missed() noexcept {
        const bool lost = !found_ && chosen_ < 0;
        static_cast<void>(sleepers_.remove(1));
        renew();
        return lost;
    }
    void changer_glances() noexcept { static_cast<void>(sleepers_.choose()); }
    void looker_glances() noexcept { static_cast<void>(is_queued()); }

  private:
    bool is_queued() const noexcept { return state_->value() == TaskState::Value::queued; }
    void renew() noexcept { state_.emplace(TaskState::Value::running); }

    alignas(kCacheLine) std::optional<TaskState> state_;
    alignas(kCacheLine) Sleepers sleepers_{2};
    alignas(kCacheLine) std::ptrdiff_t chosen_ = -1;
    alignas(kCacheLine) bool found_ = false;
};

}  // namespace weir::litmus
