// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <utility>

#include <pintle/base/mutex.hpp>

#include "kinds.hpp"
#include "operator.hpp"
#include "process.hpp"
#include "sequence.hpp"

namespace pintle::benchmarks {
namespace {

std::string_view sequence_of(const Object& gadget) { return gadget.annotation(sequence_annotation); }
std::string_view sequence_of(const Gadget& gadget) {
  const auto found = gadget.metadata.annotations.find(std::string(sequence_annotation));
  return found == gadget.metadata.annotations.end() ? std::string_view() : found->second;
}

// Records each value once, except values that were sent before this process began. Thread-safe.
class Arrivals {
 public:
  Arrivals(Executor& executor, TimesFile file, std::size_t count)
      : begun_(unix_ns(executor.wall_now())), count_(count), mutex_(executor), file_(std::move(file)) {}

  // Returns whether all values have arrived.
  bool note(std::string_view text, WallTime now) {
    const auto value = SequenceValue::parse(text);
    if (!value || value->sent < begun_) return false;
    const MutexLock lock(mutex_);
    if (seen_.size() < count_ && seen_.insert(*value).second) file_.add(value->sequence, unix_ns(now));
    return seen_.size() == count_;
  }
  [[nodiscard]] std::size_t count() const {
    const MutexLock lock(mutex_);
    return seen_.size();
  }

 private:
  const std::int64_t begun_;
  const std::size_t count_;
  mutable Mutex mutex_;
  TimesFile file_ PINTLE_GUARDED_BY(mutex_);
  std::set<SequenceValue> seen_ PINTLE_GUARDED_BY(mutex_);
};

template <Watchable T>
Measured latency_of(const BenchOptions& options) {
  auto file = TimesFile::open(options.out);
  if (!file) return fail(std::move(file.error()));
  const auto executor = make_real_executor();
  Arrivals arrivals(*executor, std::move(*file), options.count);
  Operator* running = nullptr;
  const auto reconcile = [&](const T& gadget, Context& ctx) -> Outcome {
    if (arrivals.note(sequence_of(gadget), ctx.executor().wall_now())) running->finish();
    return done;
  };
  Operator operator_(options, gadgets<T>(Gadget::type, options.concurrency, reconcile));
  running = &operator_;
  if (auto started = operator_.start(); !started) return fail(std::move(started.error()));
  const double cpu = cpu_seconds();
  if (auto ended = operator_.wait(); !ended) return fail(std::move(ended.error()));
  return json::object{
      {"mode", "latency"}, {"count", arrivals.count()}, {"cpu_s", cpu_seconds() - cpu}, {"rss_mb", resident_mb()}};
}

}  // namespace

Measured measure_latency(const BenchOptions& options) {
  return options.form == Form::typed ? latency_of<Gadget>(options) : latency_of<Object>(options);
}

}  // namespace pintle::benchmarks
