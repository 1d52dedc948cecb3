// SPDX-License-Identifier: Apache-2.0
// The stop of a manager: reconciles end, then its parts, in the reverse order of start().
#include "manager_state.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace pintle {

void Manager::State::stop(Duration grace, const std::function<void(const Error&)>& on_ignored) {
  request_stop();
  {
    const MutexLock lock(mutex_);
    while (phase_ == Phase::starting || phase_ == Phase::stopping) changed_.wait(mutex_);
    if (phase_ == Phase::made) phase_ = Phase::ended;
    if (phase_ == Phase::ended) return;
    phase_ = Phase::stopping;
    working_ = false;
  }
  const Instant deadline = after(executor.now(), grace);
  if (elector_ != nullptr) elector_->withdraw();
  const Instant drained = drain_webhooks(deadline);
  request_reconciles_to_stop();
  const auto report = [&](Error ignored) {
    if (on_ignored) on_ignored(ignored);
    failed(std::move(ignored));
  };
  if (auto ignored = await_reconciles(deadline)) report(std::move(*ignored));
  take_down(drained, deadline, report);
  enter(Phase::ended);
}

// Stops reconciles immediately and without the grace time, because another instance may begin. The caller of wait()
// stops the other parts. The loss is reported first, so that nothing can delay the end of the process.
void Manager::State::lease_lost(const Error& why) {
  log_.error("the lease is lost; stopping", {{"error", why.to_string()}});
  {
    const MutexLock lock(mutex_);
    lost_lease_ = true;
    working_ = false;
  }
  failed(why);
  request_reconciles_to_stop();
}

// A request runs the callbacks of the stop token, which are code of the user and may block. Each part has a thread for
// them, so that they delay neither this thread, which may be that of the election, nor the requests to other parts.
void Manager::State::request_reconciles_to_stop() {
  if (crash_guard_ != nullptr) crash_guard_->stop();  // by each caller, because each may end the process afterwards
  {
    const MutexLock lock(mutex_);
    if (std::exchange(requested_reconciles_to_stop_, true)) return;
  }
  for (const auto& controller : controllers_) controller->close();
  const auto request_stop_of = [this](auto& part) {
    Thread thread = executor.spawn({.name = "stop"}, [&part] { part.request_stop(); });
    const MutexLock lock(mutex_);
    stop_requests_.push_back(std::move(thread));
  };
  for (const auto& controller : controllers_) request_stop_of(*controller);
  for (const auto& runnable : running_) request_stop_of(*runnable);
}

void Manager::State::join_stop_requests() {
  std::vector<Thread> threads;
  {
    const MutexLock lock(mutex_);
    threads.swap(stop_requests_);
  }
  for (Thread& thread : threads) thread.join();
}

// Waits for the reconciles until the deadline or until the end of the lease, which moves while the lease is renewed.
// Returns an error that names the reconciles that still run then.
std::optional<Error> Manager::State::await_reconciles(Instant deadline) {
  const auto limit = [&] { return elector_ != nullptr ? std::min(deadline, elector_->ends()) : deadline; };
  std::string running;
  const auto note = [&](const std::string& what) { running += (running.empty() ? "" : ", ") + what; };
  Duration pause = std::chrono::seconds(5);
  Instant notice = after(executor.now(), pause);
  for (const auto& controller : controllers_) {
    bool ended = false;
    while (!ended && executor.now() < limit()) {
      ended = controller->wait_until(std::min(limit(), notice));
      if (ended || executor.now() < notice) continue;
      log_what_runs();
      notice = after(executor.now(), pause *= 2);
    }
    if (ended || controller->wait_until(executor.now())) continue;
    for (const ObjectKey& key : controller->busy()) {
      log_.error("a reconcile ignores its stop token and still runs",
                 {{"controller", controller->spec().name}, {"key", key.to_string()}});
      note(controller->spec().name + " of " + key.to_string());
    }
    for (const std::string& poll : controller->polls()) {
      log_.error("a poll ignores its stop token and still runs",
                 {{"controller", controller->spec().name}, {"poll", poll}});
      note("poll " + poll + " of " + controller->spec().name);
    }
  }
  for (const auto& runnable : running_) {
    if (runnable->wait_until(limit())) continue;
    log_.error("a runnable ignores its stop token and still runs", {{"runnable", runnable->name()}});
    note("runnable " + runnable->name());
  }
  if (running.empty()) return std::nullopt;
  return make_error(ErrorCode::timeout, "these functions ignore their stop token and still run: " + running);
}

// Logs the reconciles and polls for which the stop waits.
void Manager::State::log_what_runs() const {
  for (const auto& controller : controllers_) {
    for (const ObjectKey& key : controller->busy()) {
      log_.warning("the stop waits for a reconcile, which must observe its stop token (Context::stop_token)",
                   {{"controller", controller->spec().name}, {"key", key.to_string()}});
    }
    for (const std::string& poll : controller->polls()) {
      log_.warning("the stop waits for a poll, which must observe its stop token",
                   {{"controller", controller->spec().name}, {"poll", poll}});
    }
  }
}

// Ends the webhooks, except for functions that still run at the deadline. Returns an error that names these.
std::optional<Error> Manager::State::close_webhooks(Instant drained, Instant deadline) {
  if (webhook_server_ != nullptr) executor.sleep_until(drained);
  if (certificates_ != nullptr) certificates_->stop();
  if (webhook_server_ == nullptr) return std::nullopt;
  webhook_server_->close();
  // The reconciles may have used up the grace time, and a function needs a moment to observe the request.
  constexpr Duration min_time = std::chrono::seconds(1);
  if (webhook_server_->wait_until(std::max(deadline, after(executor.now(), min_time)))) return std::nullopt;
  std::string running;
  for (const std::string& path : webhook_server_->running()) {
    log_.error("a webhook ignores its stop token and still runs", {{"webhook", path}});
    running += (running.empty() ? "" : ", ") + path;
  }
  return make_error(ErrorCode::timeout, "these webhooks ignore their stop token and still run: " + running);
}

void Manager::State::take_down(Instant drained, Instant deadline, const std::function<void(Error)>& report) {
  for (const auto& controller : controllers_) controller->wait_until(Instant::max());
  for (const auto& runnable : running_) (void)runnable->wait_until(Instant::max());
  join_stop_requests();
  // The lease is released after all reconciles have ended, because the next instance begins immediately then. Webhooks
  // do not need it.
  if (elector_ != nullptr) elector_->resign();
  // The last writes of reconciles may need the webhooks.
  auto late = close_webhooks(drained, deadline);
  // The thread of the election, which has ended now, may have started more. It also used the runnables until now.
  join_stop_requests();
  running_.clear();
  if (late) report(std::move(*late));
  if (webhook_server_ != nullptr) webhook_server_->stop();
  if (definitions_ != nullptr) definitions_->stop();
  for (const auto& follower : followers_) follower->stop();
  for (ManagedCluster* cluster : all_clusters()) cluster->stop_informers();
  if (dispatcher_ != nullptr) dispatcher_->stop();
  page_server_.reset();  // uses the controllers and the checks
  for (const auto& check : checks_) check->request_stop();
  checks_.clear();
  // The last Events are sent before the controllers are destroyed, because a controller may observe writes of Events.
  const Duration grace = std::min<Duration>(options.stop_timeout, std::chrono::seconds(2));
  for (ManagedCluster* cluster : all_clusters()) cluster->stop_events(grace);
  controllers_.clear();
  crash_guard_.reset();
  if (exporter_ != nullptr) exporter_->stop(grace);
  // The shutdown ends the open requests of the informers. A given transport belongs to the caller and stays open.
  if (transport_ != nullptr && options.transport == nullptr) transport_->stop();
  webhook_server_.reset();  // uses the tracer
  certificates_.reset();
  secret_clusters_.reset();
  caches_.close();
  unfenced_secret_clusters_.reset();
  definitions_.reset();
  followers_.clear();
  cache_readers_.clear();
  unfenced_clusters_.clear();
  clusters_.clear();
  dispatcher_.reset();
  elector_.reset();
  reconcile_transport_.reset();
  tracing_.reset();
  exporter_.reset();
  decltype(credentials_) credentials;  // destroyed, which ends a plugin, after the lock is released
  {
    const MutexLock lock(mutex_);
    credentials.swap(credentials_);
  }
  recorder_.reset();
  transport_.reset();
}

}  // namespace pintle
