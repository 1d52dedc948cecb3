// SPDX-License-Identifier: Apache-2.0
#include <pintle/sim/simulated_executor.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

#include <pintle/base/hash.hpp>
#include <pintle/base/random.hpp>

#include "base/thread_body.hpp"
#include "fiber.hpp"

namespace pintle {

// A semaphore that waits in the kernel at once. std::binary_semaphore first yields the processor repeatedly, which is
// of no use if all threads have the same one.
class Turn {
 public:
  Turn() noexcept { ::sem_init(&semaphore_, 0, 0); }
  ~Turn() { ::sem_destroy(&semaphore_); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  void acquire() noexcept {
    while (::sem_wait(&semaphore_) != 0) {  // interrupted by a signal
    }
  }
  void release() noexcept { ::sem_post(&semaphore_); }

 private:
  sem_t semaphore_{};
};

class Scheduler::SimulatedThread {
 public:
  ThreadOptions options{};
  std::function<void()> body{};
  Turn go{};                  // released to let this thread run
  Queue* waits_in = nullptr;  // null: the thread can run or has ended
  std::string_view waits_for{};
  Instant deadline = Instant::max();
  bool timed_out = false;
  int held = 0;                 // number of locks
  std::uint64_t process = 0;    // see SimulatedExecutor::enter_process()
  std::uint64_t starts_in = 0;  // the process of the threads that it starts
  std::uint64_t number = 0;     // in the order of the starts
  std::uint64_t priority = 0;   // of Strategy::priorities; never equal to that of another thread
  bool ended = true;
  bool owned = false;  // by a Thread handle that is not joined yet
  bool quit = false;
  Queue joiners{};
  std::thread thread{};            // empty for the driver, and with fibers
  std::unique_ptr<Fiber> fiber{};  // with fibers
};

namespace {

// Binds this thread, and the threads that it starts while this object exists, to one processor. Only one of them runs
// at a time, and waking a thread on a sleeping processor takes longer than most of them run.
class OnOneProcessor {
 public:
  OnOneProcessor() noexcept : known_(pthread_getaffinity_np(pthread_self(), sizeof before_, &before_) == 0) {
    const int here = sched_getcpu();
    if (!known_ || here < 0 || here >= CPU_SETSIZE) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(here), &one);
    pthread_setaffinity_np(pthread_self(), sizeof one, &one);
  }
  ~OnOneProcessor() {
    if (known_) pthread_setaffinity_np(pthread_self(), sizeof before_, &before_);
  }
  OnOneProcessor(const OnOneProcessor&) = delete;
  OnOneProcessor& operator=(const OnOneProcessor&) = delete;

 private:
  cpu_set_t before_{};
  bool known_;
};

}  // namespace

// Only the thread that runs accesses the state. The semaphores by which threads hand over control order these accesses.
class [[gnu::visibility("hidden")]] SimulatedExecutor::Machine final : public Scheduler {
 public:
  explicit Machine(SimulatedExecutorOptions options);
  ~Machine() override;

  void lock(Lock& lock) override;
  void unlock(Lock& lock) override;
  bool wait(Lock& lock, Queue& queue, Instant deadline) override;
  void notify(Queue& queue, bool all) noexcept override;
  void wait(Queue& queue, std::string_view what) override;
  const SimulatedThread* current() const noexcept override { return running_; }

  SimulatedThread* spawn(ThreadOptions options, std::function<void()> body);
  void join(SimulatedThread& thread);
  void yield();

  SimulatedThread& self() const noexcept { return *running_; }
  Instant now() const noexcept { return now_; }
  const SimulatedExecutorOptions& options() const noexcept { return options_; }
  std::uint64_t draw() { return values_.next(); }
  std::uint64_t steps() const noexcept { return steps_.load(std::memory_order_relaxed); }
  std::uint64_t trace_hash() const noexcept { return trace_hash_; }
  const std::vector<std::uint32_t>& alternatives() const noexcept { return alternatives_; }
  WallTime wall_now() const noexcept { return options_.start + (now_ - Instant(std::chrono::hours(1))) + moved_; }
  void move_wall_clock(Duration by) { moved_ += by; }
  std::uint64_t enter_process(std::uint64_t process) {
    self().starts_in = process;
    return std::exchange(self().process, process);
  }
  std::uint64_t start_threads_in(std::uint64_t process) { return std::exchange(self().starts_in, process); }
  Instant frozen_until(std::uint64_t process) const {
    const auto found = frozen_.find(process);
    return found == frozen_.end() ? Instant::min() : found->second;
  }
  void freeze(std::uint64_t process, Instant until);
  void thaw(std::uint64_t process);

 private:
  void make_carrier(SimulatedThread& thread);
  void live(SimulatedThread& thread);
  void run_body(SimulatedThread& thread);
  void take(Lock& lock);
  void preempt();
  bool block(Queue& queue, Instant deadline, std::string_view what);
  void wake(SimulatedThread& thread, bool timed_out);
  void hand_over(SimulatedThread& next);
  SimulatedThread& pick();
  SimulatedThread& choose();
  SimulatedThread& choose_by_priority();
  SimulatedThread& choose_as_told();
  void begin(SimulatedThread& thread);
  // Whether a thread that could run is stopped, because its process is frozen.
  [[nodiscard]] bool is_frozen(const SimulatedThread& thread) const {
    return !frozen_.empty() && thread.held == 0 && frozen_.contains(thread.process);
  }
  void let_run(SimulatedThread& thread) { (is_frozen(thread) ? stopped_ : runnable_).push_back(&thread); }
  void advance_time();
  void watch();
  [[noreturn]] void end_process(std::string_view error) const;

  SimulatedExecutorOptions options_;
  Random choices_;     // for the scheduler
  Random priorities_;  // of threads, if they have priorities
  Random values_;      // for the program; separate, so that drawing one more number does not change the schedule
  Instant now_{};
  Duration moved_{};  // of the wall clock
  std::uint64_t trace_hash_ = 0;
  std::uint64_t started_ = 0;                  // number of threads so far
  std::set<std::uint64_t> changes_;            // of Strategy::priorities: steps at which the running thread falls back
  std::uint64_t lowest_ = 1ULL << 48U;         // the next lowest priority
  std::uint64_t runs_on_ = 0;                  // number of decisions since another thread ran
  std::vector<std::uint32_t> alternatives_{};  // of Strategy::choices
  std::vector<std::unique_ptr<SimulatedThread>> threads_;
  std::vector<SimulatedThread*> runnable_;
  std::vector<SimulatedThread*> stopped_;      // could run, but their processes are frozen
  std::map<std::uint64_t, Instant> frozen_{};  // processes, and until when
  std::atomic<SimulatedThread*> running_ = nullptr;
  std::atomic<std::uint64_t> steps_ = 0;

  std::mutex watch_mutex_;
  std::condition_variable watch_end_;
  bool ending_ = false;
  std::thread watchdog_;
  std::optional<OnOneProcessor> on_one_processor_;  // fibers share one anyway
};

SimulatedExecutor::Machine::Machine(SimulatedExecutorOptions options)
    : options_(std::move(options)),
      choices_(options_.seed),
      priorities_(options_.seed + 1),
      values_(Random(~options_.seed).next()) {
  // Not zero, so that the program can compute times before the start.
  now_ = Instant(std::chrono::hours(1));
  threads_.push_back(std::make_unique<SimulatedThread>());
  SimulatedThread& driver = *threads_.back();
  driver.options.name = "driver";
  if (options_.stacks != nullptr) {
    driver.fiber = std::make_unique<Fiber>();
  } else {
    on_one_processor_.emplace();
  }
  for (std::size_t i = 0; i < options_.scheduling.changes; ++i) {
    changes_.insert(priorities_.below(options_.scheduling.horizon));
  }
  begin(driver);
  running_ = &driver;
  if (options_.max_blocked_time > Duration::zero()) watchdog_ = std::thread([this] { watch(); });
}

SimulatedExecutor::Machine::~Machine() {
  for (const auto& thread : threads_) {
    if (thread.get() != running_ && thread->owned)
      end_process("the simulated executor is destroyed before all its threads are joined");
  }
  for (const auto& thread : threads_) {
    if (!thread->thread.joinable()) continue;
    thread->quit = true;
    thread->go.release();
    thread->thread.join();
  }
  if (!watchdog_.joinable()) return;
  {
    const std::lock_guard guard(watch_mutex_);
    ending_ = true;
  }
  watch_end_.notify_all();
  watchdog_.join();
}

void SimulatedExecutor::Machine::make_carrier(SimulatedThread& thread) {
  if (options_.stacks != nullptr) {
    thread.fiber = std::make_unique<Fiber>(options_.stacks, [this, &thread] {
      while (true) run_body(thread);
    });
  } else {
    thread.thread = std::thread([this, &thread] { live(thread); });
  }
}

// The loop of one real thread: runs a function, ends the simulated thread, and waits for the next function.
void SimulatedExecutor::Machine::live(SimulatedThread& thread) {
  for (thread.go.acquire(); !thread.quit; thread.go.acquire()) run_body(thread);
}

// On a fiber, it returns when the thread has a new body.
void SimulatedExecutor::Machine::run_body(SimulatedThread& thread) {
  thread.body();
  thread.body = nullptr;
  if (thread.held != 0) end_process("a thread ends while it holds a lock");
  thread.ended = true;
  notify(thread.joiners, true);
  std::erase(runnable_, &thread);
  hand_over(pick());
}

Scheduler::SimulatedThread* SimulatedExecutor::Machine::spawn(ThreadOptions options, std::function<void()> body) {
  const auto free = std::find_if(threads_.begin(), threads_.end(), [](const auto& f) { return f->ended && !f->owned; });
  SimulatedThread* thread = nullptr;
  if (free != threads_.end()) {
    thread = free->get();
  } else {
    threads_.push_back(std::make_unique<SimulatedThread>());
    thread = threads_.back().get();
    make_carrier(*thread);
  }
  thread->options = std::move(options);
  thread->body = std::move(body);
  thread->owned = true;
  thread->process = thread->starts_in = self().starts_in;
  begin(*thread);
  return thread;
}

void SimulatedExecutor::Machine::begin(SimulatedThread& thread) {
  thread.ended = false;
  thread.number = started_++;
  thread.priority = (1ULL << 49U) + (priorities_.next() >> 32U << 16U) + thread.number % (1U << 16U);
  let_run(thread);
}

void SimulatedExecutor::Machine::join(SimulatedThread& thread) {
  if (&thread == running_) end_process("a thread joins itself");
  while (!thread.ended) wait(thread.joiners, fmt::format("the end of thread {}", thread.options.name));
  thread.owned = false;
}

void SimulatedExecutor::Machine::lock(Lock& lock) {
  preempt();
  take(lock);
  ++self().held;
}

void SimulatedExecutor::Machine::take(Lock& lock) {
  while (lock.owner != nullptr) {
    if (lock.owner == running_) end_process("a thread locks a mutex that it holds");
    block(lock.queue, Instant::max(), "a lock");
  }
  lock.owner = running_;
}

void SimulatedExecutor::Machine::unlock(Lock& lock) {
  if (lock.owner != running_) end_process("a thread unlocks a mutex that it does not hold");
  lock.owner = nullptr;
  --self().held;
  notify(lock.queue, true);
}

bool SimulatedExecutor::Machine::wait(Lock& lock, Queue& queue, Instant deadline) {
  if (self().held != 1) end_process("a thread waits while it holds another lock");
  unlock(lock);
  bool notified = false;
  if (deadline > now_) {
    notified = block(queue, deadline, "a condition variable");
  } else {
    preempt();
  }
  take(lock);
  ++self().held;
  return notified;
}

void SimulatedExecutor::Machine::wait(Queue& queue, std::string_view what) {
  if (self().held != 0) end_process("a thread waits while it holds a lock");
  block(queue, Instant::max(), what);
}

void SimulatedExecutor::Machine::notify(Queue& queue, bool all) noexcept {
  while (!queue.waiting.empty()) {
    wake(*queue.waiting[choices_.below(queue.waiting.size())], false);
    if (!all) return;
  }
}

void SimulatedExecutor::Machine::yield() {
  if (self().held != 0) end_process("a thread sends a request while it holds a lock");
  preempt();
}

void SimulatedExecutor::Machine::preempt() {
  if (is_frozen(self())) {
    std::erase(runnable_, running_.load());
    stopped_.push_back(running_);
    hand_over(pick());
  } else {
    hand_over(choose());
  }
}

void SimulatedExecutor::Machine::freeze(std::uint64_t process, Instant until) {
  if (process == self().process) end_process("a thread freezes its own process");
  frozen_[process] = until;
  const auto stops = std::stable_partition(runnable_.begin(), runnable_.end(),
                                           [this](const SimulatedThread* one) { return !is_frozen(*one); });
  stopped_.insert(stopped_.end(), stops, runnable_.end());
  runnable_.erase(stops, runnable_.end());
}

void SimulatedExecutor::Machine::thaw(std::uint64_t process) {
  if (frozen_.erase(process) == 0) return;
  const auto go_on = std::stable_partition(stopped_.begin(), stopped_.end(),
                                           [this](const SimulatedThread* one) { return is_frozen(*one); });
  runnable_.insert(runnable_.end(), go_on, stopped_.end());
  stopped_.erase(go_on, stopped_.end());
}

// Returns one of the threads that can run.
Scheduler::SimulatedThread& SimulatedExecutor::Machine::choose() {
  switch (options_.scheduling.strategy) {
    case Scheduling::Strategy::random: break;
    case Scheduling::Strategy::priorities: return choose_by_priority();
    case Scheduling::Strategy::choices: return choose_as_told();
  }
  return *runnable_[choices_.below(runnable_.size())];
}

Scheduler::SimulatedThread& SimulatedExecutor::Machine::choose_by_priority() {
  constexpr std::uint64_t patience = 1'000;  // of the others, while one thread runs that never waits
  if (changes_.contains(steps()) || runs_on_ > patience) self().priority = --lowest_;
  return **std::max_element(runnable_.begin(), runnable_.end(),
                            [](const auto* a, const auto* b) { return a->priority < b->priority; });
}

Scheduler::SimulatedThread& SimulatedExecutor::Machine::choose_as_told() {
  const auto own = std::find(runnable_.begin(), runnable_.end(), running_.load());
  if (own != runnable_.end()) std::rotate(runnable_.begin(), own, own + 1);  // the running thread is alternative 0
  if (runnable_.size() == 1) return *runnable_.front();
  const std::size_t decision = alternatives_.size();
  alternatives_.push_back(static_cast<std::uint32_t>(runnable_.size()));
  const auto& choices = options_.scheduling.choices;
  return *runnable_[decision < choices.size() ? choices[decision] % runnable_.size() : 0];
}

// Returns true if the thread was woken, false if the deadline passed first.
bool SimulatedExecutor::Machine::block(Queue& queue, Instant deadline, std::string_view what) {
  SimulatedThread& thread = self();
  thread.waits_in = &queue;
  thread.waits_for = what;
  thread.deadline = deadline;
  thread.timed_out = false;
  queue.waiting.push_back(&thread);
  std::erase(runnable_, &thread);
  hand_over(pick());
  return !thread.timed_out;
}

void SimulatedExecutor::Machine::wake(SimulatedThread& thread, bool timed_out) {
  std::erase(thread.waits_in->waiting, &thread);
  thread.waits_in = nullptr;
  thread.deadline = Instant::max();
  thread.timed_out = timed_out;
  let_run(thread);
}

Scheduler::SimulatedThread& SimulatedExecutor::Machine::pick() {
  while (runnable_.empty()) advance_time();
  return choose();
}

// Called when no thread can run: advances the time to the earliest deadline.
void SimulatedExecutor::Machine::advance_time() {
  Instant earliest = Instant::max();
  for (const auto& thread : threads_) earliest = std::min(earliest, thread->deadline);
  for (const auto& [process, until] : frozen_) earliest = std::min(earliest, until);
  if (earliest == Instant::max()) end_process("deadlock: every thread waits and none has a deadline");
  now_ = std::max(now_, earliest);
  for (const auto& thread : threads_) {
    if (thread->waits_in != nullptr && thread->deadline <= now_) wake(*thread, true);
  }
  const std::map<std::uint64_t, Instant> frozen = frozen_;
  for (const auto& [process, until] : frozen) {
    if (until <= now_) thaw(process);
  }
}

void SimulatedExecutor::Machine::hand_over(SimulatedThread& next) {
  steps_.fetch_add(1, std::memory_order_relaxed);
  SimulatedThread& from = self();
  trace_hash_ = mix(mix(trace_hash_, next.number), static_cast<std::uint64_t>(now_.time_since_epoch().count()));
  runs_on_ = &next == &from ? runs_on_ + 1 : 0;
  if (&next == &from) return;
  // Read before the other thread runs, because it may reuse this thread for a new body at once if this one has ended.
  const bool continues = !from.ended;
  running_ = &next;
  if (from.fiber != nullptr) {
    from.fiber->switch_to(*next.fiber);
    return;
  }
  next.go.release();
  if (continues) from.go.acquire();
}

// The thread that runs either computes, which takes processor time, or blocks, which does not. A process that gets no
// processor does neither, so a thread without processor time is given ten times as long.
void SimulatedExecutor::Machine::watch() {
  std::unique_lock lock(watch_mutex_);
  std::uint64_t seen = steps();
  std::clock_t computed = std::clock();
  int quiet_rounds = 0;
  while (!watch_end_.wait_for(lock, options_.max_blocked_time, [this] { return ending_; })) {
    if (std::exchange(seen, steps()) != seen || running_.load()->options.name == "driver") {
      computed = std::clock();
      quiet_rounds = 0;
      continue;
    }
    const auto seconds = static_cast<double>(std::clock() - computed) / CLOCKS_PER_SEC;
    const bool computes = std::chrono::duration<double>(seconds) > options_.max_blocked_time / 2;
    if (computes || ++quiet_rounds == 10) {
      end_process(fmt::format("thread {} has not called a seam (lock, wait, sleep, request) for {}: it {} elsewhere",
                              running_.load()->options.name,
                              format_duration(options_.max_blocked_time * std::max(1, quiet_rounds)),
                              computes ? "computes" : "blocks"));
    }
  }
}

void SimulatedExecutor::Machine::end_process(std::string_view error) const {
  std::string text = fmt::format("simulation failed: {}\n  seed {}, step {}, in thread {}\n", error, options_.seed,
                                 steps(), running_.load()->options.name);
  for (const auto& thread : threads_) {
    if (thread->waits_in == nullptr) continue;
    text += fmt::format("  thread {} waits for {}\n", thread->options.name, thread->waits_for);
  }
  if (!options_.replay.empty()) text += fmt::format("  replay: {}\n", options_.replay);
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
  std::abort();
}

namespace {

class ThreadBody final : public Thread::Body {
 public:
  explicit ThreadBody(std::function<void()> join) : join_(std::move(join)) {}
  void join() override { join_(); }

 private:
  std::function<void()> join_;
};

}  // namespace

SimulatedExecutor::SimulatedExecutor(SimulatedExecutorOptions options)
    : machine_(std::make_unique<Machine>(std::move(options))) {}
SimulatedExecutor::~SimulatedExecutor() = default;

Instant SimulatedExecutor::now() const noexcept { return machine_->now(); }

WallTime SimulatedExecutor::wall_now() const noexcept { return machine_->wall_now(); }

Thread SimulatedExecutor::spawn(ThreadOptions options, std::function<void()> body) {
  Scheduler::SimulatedThread* const thread = machine_->spawn(std::move(options), std::move(body));
  return Thread(std::make_unique<ThreadBody>([this, thread] { machine_->join(*thread); }));
}

std::uint64_t SimulatedExecutor::random() { return machine_->draw(); }
void SimulatedExecutor::yield() { machine_->yield(); }
std::string_view SimulatedExecutor::thread_name() const noexcept { return machine_->self().options.name; }
bool SimulatedExecutor::may_block() const noexcept { return machine_->self().options.may_block; }
Scheduler* SimulatedExecutor::scheduler() noexcept { return machine_.get(); }
std::uint64_t SimulatedExecutor::steps() const noexcept { return machine_->steps(); }
std::uint64_t SimulatedExecutor::trace_hash() const noexcept { return machine_->trace_hash(); }
const std::vector<std::uint32_t>& SimulatedExecutor::alternatives() const noexcept { return machine_->alternatives(); }
std::uint64_t SimulatedExecutor::enter_process(std::uint64_t process) { return machine_->enter_process(process); }
void SimulatedExecutor::freeze(std::uint64_t process, Instant until) { machine_->freeze(process, until); }
void SimulatedExecutor::thaw(std::uint64_t process) { machine_->thaw(process); }
Instant SimulatedExecutor::frozen_until(std::uint64_t process) const { return machine_->frozen_until(process); }
std::uint64_t SimulatedExecutor::start_threads_in(std::uint64_t process) { return machine_->start_threads_in(process); }
void SimulatedExecutor::move_wall_clock(Duration by) { machine_->move_wall_clock(by); }

}  // namespace pintle
