// SPDX-License-Identifier: Apache-2.0
#include "fleet.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace pintle::testkit {
namespace {

using namespace std::chrono_literals;

}  // namespace

std::vector<Instance*> Fleet::instances() const {
  std::vector<Instance*> all;
  for (const Slot& slot : slots_) all.push_back(slot.instance.get());
  return all;
}

std::vector<GroupVersionKind> Fleet::reconciled_kinds() const {
  std::vector<GroupVersionKind> all;
  for (const Slot& slot : slots_) {
    if (!slot.instance->has_manager()) continue;
    const std::vector<GroupVersionKind> kinds = slot.instance->manager().reconciled_kinds();
    all.insert(all.end(), kinds.begin(), kinds.end());
  }
  return all;
}

bool Fleet::start() {
  for (Slot& slot : slots_) slot.instance->start();
  const bool is_ready = simulation_.wait_until([&] {
    return std::ranges::all_of(
        slots_, [](const Slot& slot) { return slot.instance->has_ended() || slot.instance->manager().is_ready(); });
  });
  for (Slot& slot : slots_) {
    if (!slot.instance->has_ended()) continue;
    const auto& started = slot.instance->started();
    journal_.violate(Oracle::runs,
                     "the operator does not start: " + (started ? "it ended" : started.error().to_string()));
    return false;
  }
  if (!is_ready) journal_.violate(Oracle::runs, "the operator is not ready after 10 minutes");
  return is_ready;
}

void Fleet::start_again() {
  for (Slot& slot : slots_) {
    stop(slot);
    slot.instance->start();
  }
}

void Fleet::stop() {
  for (Slot& slot : slots_) stop(slot);
}

void Fleet::stop(Slot& slot) {
  check_exceptions(slot);
  slot.instance->stop();
}

void Fleet::crash(Slot& slot) {
  check_exceptions(slot);
  slot.instance->crash();
}

void Fleet::check_exceptions() {
  for (Slot& slot : slots_) check_exceptions(slot);
}

// A worker catches the exception of a reconcile, and counts it in the metrics of its manager. In a process that has
// crashed, code runs that would not run in reality.
void Fleet::check_exceptions(Slot& slot) {
  if (!slot.instance->has_manager() || slot.instance->transport().is_crashed()) return;
  const double exceptions = slot.instance->manager().metrics().total("controller_runtime_reconcile_panics_total");
  if (exceptions != 0) journal_.violate(Oracle::runs, fmt::format("{} reconciles threw an exception", exceptions));
}

void Fleet::pass_time(Duration time) {
  const Instant end = after(simulation_.executor().now(), time);
  while (true) {
    supervise();
    while (!next_actions().empty() && next_actions().begin()->first <= simulation_.executor().now()) {
      auto action = next_actions().extract(next_actions().begin());
      action.mapped()();
    }
    const Instant now = simulation_.executor().now();
    if (now >= end || journal_.is_full()) return;
    Instant next = std::min(end, after(now, is_quiet() ? 5s : 1s));
    if (!next_actions().empty()) next = std::min(next, std::max(now, next_actions().begin()->first));
    sleep_until(next);
  }
}

// Ends early if a process crashes. Until crash() destroys the rest of the process, its threads call outside systems.
void Fleet::sleep_until(Instant end) {
  const MutexLock lock(mutex_);
  while (!has_crashed_ && crashed_.wait_until(mutex_, end)) {}
  has_crashed_ = false;
}

void Fleet::wake() {
  const MutexLock lock(mutex_);
  has_crashed_ = true;
  crashed_.notify_all();
}

// Nothing is planned that can make a process crash, so it is enough to look at the processes now and then.
bool Fleet::is_quiet() {
  return next_actions().empty() && server_faults_.empty() && webhook_faults_.empty() &&
         std::all_of(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.faults.empty(); });
}

// The actions that contain the next one, if there is any.
Fleet::Actions& Fleet::next_actions() {
  if (edits_.empty()) return actions_;
  return actions_.empty() || edits_.begin()->first < actions_.begin()->first ? edits_ : actions_;
}

void Fleet::later(Duration delay, std::function<void()> action) {
  actions_.emplace(after(simulation_.executor().now(), delay), std::move(action));
}

void Fleet::edit_later(Duration delay, std::function<void()> edit) {
  edits_.emplace(after(simulation_.executor().now(), delay), std::move(edit));
}

void Fleet::supervise() {
  for (Slot& slot : slots_) {
    if (slot.is_down) continue;
    check_exceptions(slot);
    const bool has_crashed = slot.instance->transport().is_crashed();
    if (!has_crashed && !slot.instance->has_ended()) continue;
    if (has_crashed) {
      end_sweep();
      crash(slot);
    } else {
      journal_.note("operator", "ends by itself");
      stop(slot);
    }
    slot.is_down = true;
    later(slot.pause, [this, &slot] { bring_up(slot); });
  }
}

void Fleet::bring_up(Slot& slot) {
  if (!slot.is_down) return;
  slot.is_down = false;
  slot.instance->start();
  journal_.note("operator", "starts");
  apply_faults(slot);
}

void Fleet::apply_faults(Slot& slot) {
  if (slot.is_down) return;
  http::FaultPlan plan;
  for (const auto& [number, fault] : slot.faults) plan.push_back(fault);
  slot.instance->transport().set_faults(std::move(plan));
}

void Fleet::inject(std::size_t instance, const http::Fault& fault, Duration time) {
  Slot& slot = slots_.at(instance);
  const std::uint64_t number = next_fault_++;
  slot.faults.emplace(number, fault);
  apply_faults(slot);
  later(time, [this, &slot, number] {
    if (slot.faults.erase(number) != 0) apply_faults(slot);
  });
}

void Fleet::inject(ServerFault fault, Duration time) {
  const std::uint64_t number = next_fault_++;
  server_faults_.emplace_back(number, std::move(fault));
  apply_server_faults();
  later(time, [this, number] {
    if (std::erase_if(server_faults_, [&](const auto& one) { return one.first == number; }) != 0) apply_server_faults();
  });
}

void Fleet::apply_server_faults() {
  ServerFaults all;
  for (const auto& [number, rule] : server_faults_) all.rules.push_back(rule);
  simulation_.server().set_faults(std::move(all));
}

void Fleet::inject_into_webhooks(http::Fault fault, Duration time) {
  const std::uint64_t number = next_fault_++;
  webhook_faults_.emplace(number, std::move(fault));
  apply_webhook_faults();
  later(time, [this, number] {
    if (webhook_faults_.erase(number) != 0) apply_webhook_faults();
  });
}

void Fleet::apply_webhook_faults() {
  http::FaultPlan plan;
  for (const auto& [number, fault] : webhook_faults_) plan.push_back(fault);
  simulation_.network().set_faults(std::move(plan));
}

void Fleet::crash(std::size_t instance, std::uint64_t writes, bool after_commit, Duration time, Duration pause) {
  Slot& slot = slots_.at(instance);
  slot.pause = pause;
  if (slot.is_down) return;
  inject(instance,
         {.effect = http::Crash{.after_commit = after_commit, .then = [this] { wake(); }},
          .only = is_write_of_work,
          .first = writes,
          .times = 1},
         time);
  later(time, [this, &slot, started = &slot.instance->transport()] {
    // The operator has not written so much: it crashes now.
    if (slot.is_down || &slot.instance->transport() != started) return;
    crash(slot);
    slot.is_down = true;
    later(slot.pause, [this, &slot] { bring_up(slot); });
  });
}

void Fleet::crash_once(std::uint64_t writes, bool after_commit, Duration time) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    slots_[i].pause = 500ms;
    sweep_.insert(next_fault_);
    inject(i,
           {.effect = http::Crash{.after_commit = after_commit, .then = [this] { wake(); }},
            .only = is_write_of_work,
            .first = writes,
            .times = 1},
           time);
  }
}

// The next process must not crash at the same write.
void Fleet::end_sweep() {
  for (Slot& slot : slots_) {
    const auto ended = std::erase_if(slot.faults, [&](const auto& fault) { return sweep_.contains(fault.first); });
    if (ended != 0) apply_faults(slot);
  }
  sweep_.clear();
}

void Fleet::restart(std::size_t instance, Duration pause) {
  Slot& slot = slots_.at(instance);
  if (slot.is_down) return;
  stop(slot);
  slot.is_down = true;
  later(pause, [this, &slot] { bring_up(slot); });
}

void Fleet::freeze(std::size_t instance, Duration time) {
  Slot& slot = slots_.at(instance);
  if (slot.is_down) return;
  slot.instance->freeze(time);
  journal_.freeze(static_cast<int>(instance) + 1, after(simulation_.executor().now(), time));
  later(time, [this, &slot, instance, frozen = &slot.instance->transport()] {
    if (slot.is_down || &slot.instance->transport() != frozen) return;
    journal_.note("operator " + std::to_string(instance + 1), "goes on");
  });
}

void Fleet::end_faults() {
  actions_.clear();
  server_faults_.clear();
  apply_server_faults();
  webhook_faults_.clear();
  apply_webhook_faults();
  for (Slot& slot : slots_) {
    slot.faults.clear();
    slot.instance->thaw();
    if (!slot.is_down && slot.instance->transport().is_crashed()) {
      crash(slot);
      slot.is_down = true;
    }
    slot.is_down ? bring_up(slot) : apply_faults(slot);
    slot.pause = 2s;
  }
}

}  // namespace pintle::testkit
