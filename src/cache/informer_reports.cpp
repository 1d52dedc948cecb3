// The state of an informer as logs, callers and waiting threads see it.
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
  const MutexLock lock(mutex_);
  last_error_ = std::move(text);
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
  log_.write(is_new ? LogLevel::warning : LogLevel::debug,
             is_unknown
                 ? "the cluster rejects the credentials of this program; renew them; requests are repeated until then"
                 : "the cluster forbids this program to read a resource; grant the permission (--print-rbac prints "
                   "the roles); requests are repeated until then",
             {{"verb", verb_},
              {"namespace", options.namespace_.empty() ? std::string("all") : options.namespace_},
              {"error", text}});
}

void Informer::Core::notify_watch_end(const Reflector::Actions& actions) const {
  if (stopped_) return;
  const Error* error = nullptr;
  for (const ReflectorAction& action : actions) {
    if (const auto* warning = std::get_if<Warning>(&action)) error = &warning->error;
  }
  for (const WatchEndHandler& handler : watch_end_handlers_) handler(error);
}

Result<void> Informer::Core::wait_for_sync(Instant deadline, const std::stop_token& stop) {
  const StopCallback wake(transport_.executor(), stop, [this] {
    const MutexLock lock(mutex_);
    changed_.notify_all();
  });
  const MutexLock lock(mutex_);
  while (!synced_) {
    if (stop.stop_requested()) return fail(ErrorCode::cancelled, "stopped while waiting for the first list");
    if (!changed_.wait_until(mutex_, deadline) && !synced_) {
      return fail(ErrorCode::timeout, missing() + " in time" + warning());
    }
  }
  return {};
}

std::string Informer::Core::sync_status() const {
  const MutexLock lock(mutex_);
  return missing() + warning();
}

std::string Informer::Core::warning() const { return last_error_.empty() ? std::string() : ": " + last_error_; }

std::string Informer::Core::missing() const {
  std::string text = "the first list of " + options.resource.to_string();
  if (!options.namespace_.empty()) text += " in namespace " + options.namespace_;
  for (const std::string* selector : {&options.label_selector, &options.field_selector}) {
    if (!selector->empty()) text += " with " + *selector;
  }
  return text + " has not arrived";
}

}  // namespace pintle
