// SPDX-License-Identifier: Apache-2.0
#include "definition_keeper.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <pintle/base/backoff.hpp>
#include <pintle/base/stop.hpp>
#include <pintle/object/schema/crd.hpp>

namespace pintle {
namespace {

constexpr Backoff between_checks{.base = std::chrono::seconds(1), .factor = 2, .cap = std::chrono::seconds(30)};

std::string title_of(const DefinitionKeeper::Definition& definition) {
  const json::Document crd(definition.crd);
  return std::string(CrdView(crd.root()).name()) +
         (definition.cluster == home_cluster ? std::string() : " in cluster " + definition.cluster);
}

}  // namespace

DefinitionKeeper::DefinitionKeeper(Executor& executor, Log log, MetricsRegistry& metrics, MakeInstaller make_installer)
    : executor_(executor),
      log_(std::move(log)),
      make_installer_(std::move(make_installer)),
      missing_(metrics.gauge("pintle_missing_crds",
                             "CRDs of watched kinds that were deleted while the operator was running.", {})),
      mutex_(executor),
      changed_(executor) {}

void DefinitionKeeper::add(Definition definition) {
  const MutexLock lock(mutex_);
  for (const Entry& known : entries_) {
    if (known.definition.kind == definition.kind && known.definition.cluster == definition.cluster) return;
  }
  entries_.push_back({.definition = std::move(definition)});
}

void DefinitionKeeper::suspect(const std::string& cluster, const GroupVersionKind& kind) {
  const MutexLock lock(mutex_);
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.definition.kind == kind && entry.definition.cluster == cluster;
  });
  if (stopped_ || found == entries_.end() || found->state != State::present) return;
  found->state = State::suspected;
  changed_.notify_all();
  // The thread is started under the lock. Otherwise a concurrent stop() could miss it, and the calling I/O thread would
  // have to join it, while its request waits for that I/O thread.
  if (threads_.empty()) threads_.push_back(executor_.spawn({.name = "definitions"}, [this] { run(); }));
}

Result<void> DefinitionKeeper::check() const {
  std::string names;
  const MutexLock lock(mutex_);
  for (const Entry& entry : entries_) {
    if (entry.state == State::missing) names += (names.empty() ? "" : ", ") + title_of(entry.definition);
  }
  if (names.empty()) return {};
  return fail(ErrorCode::unavailable, "CRD deleted while the operator was running: " + names);
}

void DefinitionKeeper::stop() {
  stop_.request_stop();
  std::vector<Thread> ending;
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
    ending.swap(threads_);
    changed_.notify_all();
  }
  for (Thread& thread : ending) thread.join();
}

void DefinitionKeeper::run() {
  while (wait_for_suspects()) {
    for (unsigned attempt = 0; !check_suspects(); ++attempt) {
      if (!executor_.sleep_for(between_checks.delay(attempt), stop_.get_token())) return;
    }
  }
}

bool DefinitionKeeper::wait_for_suspects() {
  const auto is_present = [](const Entry& entry) { return entry.state == State::present; };
  const MutexLock lock(mutex_);
  while (!stopped_ && std::all_of(entries_.begin(), entries_.end(), is_present)) changed_.wait(mutex_);
  return !stopped_;
}

bool DefinitionKeeper::check_suspects() {
  std::vector<Entry> suspects;
  {
    const MutexLock lock(mutex_);
    std::copy_if(entries_.begin(), entries_.end(), std::back_inserter(suspects),
                 [](const Entry& entry) { return entry.state != State::present; });
  }
  bool all = true;
  for (const Entry& one : suspects) {
    const State state = check(one.definition, one.state);
    all = all && state == State::present;
    enter(one.definition, state);
  }
  return all || stop_.stop_requested();
}

void DefinitionKeeper::enter(const Definition& definition, State state) {
  const MutexLock lock(mutex_);
  for (Entry& entry : entries_) {
    if (entry.definition.kind == definition.kind && entry.definition.cluster == definition.cluster) entry.state = state;
  }
  missing_.set(static_cast<double>(std::count_if(entries_.begin(), entries_.end(),
                                                 [](const Entry& entry) { return entry.state == State::missing; })));
}

DefinitionKeeper::State DefinitionKeeper::check(const Definition& definition, State before) {
  Client& client = *definition.client;
  client.invalidate_discovery(definition.kind);
  const auto served = client.resource(definition.kind, stop_.get_token());
  if (served) {
    if (before == State::missing) log_.info("the CRD is installed again", {{"crd", title_of(definition)}});
    return State::present;
  }
  if (served.error().code != ErrorCode::unsupported)
    return before;  // the response does not show whether the CRD exists
  if (before != State::missing) {
    log_.error(
        "the CRD of a watched kind was deleted while the operator was running; its objects no longer exist",
        {{"crd", title_of(definition)},
         {"kind", definition.kind.to_string()},
         {"next", definition.is_restored ? "the operator installs it again" : "waiting until it is installed again"}});
    enter(definition, State::missing);
  }
  return definition.is_restored ? restore(definition) : State::missing;
}

DefinitionKeeper::State DefinitionKeeper::restore(const Definition& definition) {
  const json::Value crd = definition.latest ? definition.latest() : definition.crd;
  const auto restored = make_installer_(*definition.client).restore(crd, definition.kind, stop_.get_token());
  if (restored) return State::present;
  if (restored.error().code != ErrorCode::cancelled) {
    log_.warning("cannot install the deleted CRD again yet",
                 {{"crd", title_of(definition)}, {"error", restored.error().to_string()}});
  }
  return State::missing;
}

}  // namespace pintle
