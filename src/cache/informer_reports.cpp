// SPDX-License-Identifier: Apache-2.0
// The state of an informer as logs, callers and waiting threads see it.
#include <algorithm>
#include <utility>

#include <pintle/base/stop.hpp>

#include "informer_core.hpp"

namespace pintle {

void Informer::Core::operator()(DroppedObjects dropped) {
  metrics_.dropped(dropped.objects);
  log_.error("an object is left out of the cache",
             {{"error", dropped.error.to_string()}, {"objects", dropped.objects}});
}

void Informer::Core::operator()(Warning warning) {
  std::string text = warning.error.to_string();
  log_warning(warning.error, text);
  constexpr int not_found = 404;
  const bool is_missing = warning.error.http_status == not_found;
  {
    const MutexLock lock(mutex_);
    last_error_ = std::move(text);
    refused_ = warning.error.code == ErrorCode::unauthorized || warning.error.code == ErrorCode::forbidden;
    changed_.notify_all();
  }
  note_result();
  if (!is_missing) return;
  for (const auto& handler : handlers_.not_found) handler();
}

// A refusal lasts until a person grants the permission, so it is logged once and not at each retry.
void Informer::Core::log_warning(const Error& error, const std::string& text) {
  const bool is_unknown = error.code == ErrorCode::unauthorized;
  if (!is_unknown && error.code != ErrorCode::forbidden) {
    log_.warning("list or watch of a resource is interrupted; the cache catches up after the next retry",
                 {{"error", text}});
    return;
  }
  const bool is_new = std::exchange(logged_refusals_[verb_], text) != text;
  const LogLevel level = is_new ? LogLevel::warning : LogLevel::debug;
  const std::string where = options.namespace_.empty() ? "all" : options.namespace_;
  if (is_unknown) {
    log_.write(level,
               "the cluster rejects the credentials of this program; renew them; requests are repeated until then",
               {{"verb", verb_}, {"namespace", where}, {"error", text}});
  } else {
    log_.write(level,
               "the cluster forbids this program to read a resource; grant the permission (--print-rbac prints the "
               "roles); requests are repeated until then",
               {{"verb", verb_}, {"namespace", where}, {"error", text}, {"rule", rule()}});
  }
}

void Informer::Core::notify_watch_end(const Reflector::Actions& actions) const {
  if (stopped_) return;
  const Error* error = nullptr;
  for (const ReflectorAction& action : actions) {
    if (const auto* warning = std::get_if<Warning>(&action)) error = &warning->error;
  }
  for (const auto& handler : handlers_.watch_ends) handler(error);
}

// The server has sent something about the resource.
void Informer::Core::heard() {
  const Instant time = now();
  const MutexLock lock(mutex_);
  last_response_ = time;
}

void Informer::Core::arrived() { arrived_ = reflector_.arrived_objects(); }

// The server accepts the credentials and permits the request.
void Informer::Core::permitted() {
  const MutexLock lock(mutex_);
  refused_ = false;
}

// Accounts for the memory of an object that takes the place of another one.
void Informer::Core::count(const Object& before, const Object& now) { bytes_ += now.bytes() - before.bytes(); }

Result<void> Informer::Core::wait_for_sync(Instant deadline, const std::stop_token& stop, bool or_absent) {
  const StopCallback wake(transport_.executor(), stop, [this] {
    const MutexLock lock(mutex_);
    changed_.notify_all();
  });
  const MutexLock lock(mutex_);
  while (!synced_ && !(or_absent && absence_ != Absence::none)) {
    if (stop.stop_requested()) return fail(ErrorCode::cancelled, "stopped while waiting for the first list");
    if (!changed_.wait_until(mutex_, deadline) && !synced_) {
      return fail(ErrorCode::timeout, missing() + (absence_ == Absence::none ? " in time" : "") + warning());
    }
  }
  return {};
}

InformerState Informer::Core::state() const {
  if (absence_ == Absence::not_served) return InformerState::waiting;
  if (absence_ == Absence::not_needed) return InformerState::inactive;
  if (refused_) return InformerState::forbidden;
  return synced_ ? InformerState::synced : InformerState::syncing;
}

InformerStatus Informer::Core::status() const {
  const std::size_t objects = std::max(store.size(), arrived_.load());
  const MutexLock lock(mutex_);
  InformerStatus status{.state = state(), .last_response = last_response_, .objects = objects, .bytes = bytes_.load()};
  const bool is_forbidden = status.state == InformerState::forbidden;
  if (status.state != InformerState::synced && !is_forbidden) {
    status.detail = missing() + warning();
  } else if (is_forbidden) {
    const std::string what = synced_ ? "the watch of " + title() + " is refused" : missing();
    status.detail = what + warning() + "; " + rule();
  }
  return status;
}

std::string Informer::Core::sync_status() const {
  const MutexLock lock(mutex_);
  return missing() + warning() + (refused_ ? "; " + rule() : "");
}

std::string Informer::Core::warning() const { return last_error_.empty() ? std::string() : ": " + last_error_; }

// The plural is known once the server serves the kind.
std::string Informer::Core::title() const {
  return options.resource.plural.empty() ? options.resource.kind.to_string() : options.resource.to_string();
}

std::string Informer::Core::missing() const {
  if (absence_ == Absence::not_served)
    return title() + " is not served by the cluster; waiting until its CRD is installed";
  if (absence_ == Absence::not_needed) return title() + " is not watched, because nothing needs it";
  std::string text = "the first list of " + title();
  if (!options.namespace_.empty()) text += " in namespace " + options.namespace_;
  for (const std::string* selector : {&options.label_selector, &options.field_selector}) {
    if (!selector->empty()) text += " with " + *selector;
  }
  return text + " has not arrived";
}

// The permission that the informer needs, as a person adds it to a role.
std::string Informer::Core::rule() const {
  const std::string where = options.namespace_.empty() || !options.resource.namespaced
                                ? "a ClusterRole"
                                : "a Role in namespace " + options.namespace_;
  const std::string& plural = options.resource.plural;
  return "required in " + where + R"(: {apiGroups: [")" + options.resource.kind.group + R"("], resources: [")" +
         (plural.empty() ? options.resource.kind.kind : plural) + R"("], verbs: ["list", "watch"]})";
}

std::string_view to_string(InformerState state) noexcept {
  switch (state) {
    case InformerState::waiting: return "waiting";
    case InformerState::forbidden: return "forbidden";
    case InformerState::syncing: return "syncing";
    case InformerState::synced: return "synced";
    case InformerState::inactive: return "inactive";
  }
  return "";
}

}  // namespace pintle
