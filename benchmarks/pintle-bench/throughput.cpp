// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <optional>
#include <set>
#include <utility>

#include <pintle/base/mutex.hpp>

#include "kinds.hpp"
#include "operator.hpp"
#include "process.hpp"

namespace pintle::benchmarks {
namespace {

bool is_behind(const Object& gadget) {
  return gadget["/status/observedGeneration"].as_integer().value_or(0) < gadget.generation();
}
bool is_behind(const Gadget& gadget) { return gadget.status.observed_generation < gadget.metadata.generation; }

void catch_up(const Object& gadget, StatusDraft& status) { status.set("/observedGeneration", gadget.generation()); }
void catch_up(const Gadget& gadget, StatusDraft& status) {
  WidgetStatus wanted = gadget.status;
  wanted.observed_generation = gadget.metadata.generation;
  status.set(wanted);
}

struct Spent {
  Instant when{};
  double cpu = 0;
};

// The gadgets that are behind their generation, according to the watch. Thread-safe.
class Progress {
 public:
  explicit Progress(Executor& executor) : executor_(executor), mutex_(executor) {}

  void count_reconcile(bool patches) {
    const MutexLock lock(mutex_);
    if (!first_) first_ = spent();
    ++reconciles_;
    if (patches) ++attempts_;
  }
  void see(const Change& change) {
    const MutexLock lock(mutex_);
    if (change.current && is_behind(change.current)) {
      behind_.insert(change.current.key());
    } else if (behind_.erase(change.object().key()) != 0 && change.current) {
      ++patched_;
      last_ = spent();
    }
  }
  [[nodiscard]] bool is_done() const {
    const MutexLock lock(mutex_);
    return behind_.empty();
  }
  // Each failed attempt is followed by another one, so all attempts except one for each patched gadget have failed.
  [[nodiscard]] json::object result() const {
    const MutexLock lock(mutex_);
    const double total = patched_ == 0 ? 0 : std::chrono::duration<double>(last_.when - first_->when).count();
    return {{"mode", "throughput"},
            {"total_s", total},
            {"per_s", total == 0 ? 0 : static_cast<double>(patched_) / total},
            {"cpu_s", patched_ == 0 ? 0 : last_.cpu - first_->cpu},
            {"reconciles", reconciles_},
            {"patched", patched_},
            {"failed", attempts_ - patched_}};
  }

 private:
  [[nodiscard]] Spent spent() const { return {executor_.now(), cpu_seconds()}; }

  Executor& executor_;
  mutable Mutex mutex_;
  std::set<ObjectKey> behind_ PINTLE_GUARDED_BY(mutex_);
  std::size_t reconciles_ PINTLE_GUARDED_BY(mutex_) = 0;
  std::size_t attempts_ PINTLE_GUARDED_BY(mutex_) = 0;
  std::size_t patched_ PINTLE_GUARDED_BY(mutex_) = 0;
  std::optional<Spent> first_ PINTLE_GUARDED_BY(mutex_);
  Spent last_ PINTLE_GUARDED_BY(mutex_){};
};

template <Watchable T>
Measured throughput_of(const BenchOptions& options) {
  const auto executor = make_real_executor();
  Progress progress(*executor);
  const auto reconcile = [&](const T& gadget, Context& ctx) -> Outcome {
    const bool patches = is_behind(gadget);
    progress.count_reconcile(patches);
    if (patches) catch_up(gadget, ctx.status());
    return done;
  };
  AnyController controller = gadgets<T>(Gadget::type, options.concurrency, reconcile);
  std::atomic<bool> is_synced = false;
  Operator* running = nullptr;
  controller.on_change = [&](const Change& change) {
    progress.see(change);
    if (is_synced && progress.is_done()) running->finish();
  };
  Operator operator_(options, std::move(controller));
  running = &operator_;
  if (auto started = operator_.start(); !started) return fail(std::move(started.error()));
  is_synced = true;
  if (progress.is_done()) operator_.finish();
  if (auto ended = operator_.wait(); !ended) return fail(std::move(ended.error()));
  return progress.result();
}

}  // namespace

Measured measure_throughput(const BenchOptions& options) {
  return options.form == Form::typed ? throughput_of<Gadget>(options) : throughput_of<Object>(options);
}

}  // namespace pintle::benchmarks
