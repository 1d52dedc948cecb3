// SPDX-License-Identifier: Apache-2.0
#include "runnable_runner.hpp"

#include <set>
#include <utility>

#include <pintle/base/exceptions.hpp>

namespace pintle {

std::vector<Error> validate(const std::vector<Runnable>& runnables) {
  std::vector<Error> errors;
  std::set<std::string> names;
  for (const Runnable& runnable : runnables) {
    const std::string& name = runnable.name.value();
    const auto wrong = [&](const std::string& what) {
      errors.push_back(make_error(ErrorCode::invalid, "runnable \"" + name + "\" " + what));
    };
    if (name.empty()) wrong("has no .name; set one");
    if (!names.insert(name).second) wrong("exists twice; change the .name of one of them");
    if (!runnable.body.value()) wrong("has an empty .body; set the function");
  }
  return errors;
}

RunnableRunner::RunnableRunner(Runnable runnable, std::shared_ptr<Client> client, Executor& executor, const Log& log,
                               std::function<void(Error)> failed)
    : runnable_(std::move(runnable)),
      client_(std::move(client)),
      executor_(executor),
      log_(log.with({{"runnable", runnable_.name.value()}})),
      failed_(std::move(failed)),
      mutex_(executor),
      changed_(executor) {}

RunnableRunner::~RunnableRunner() {
  request_stop();
  thread_.join();
}

void RunnableRunner::start() {
  if (stop_.stop_requested()) return;
  {
    const MutexLock lock(mutex_);
    runs_ = true;
  }
  thread_ = executor_.spawn({.name = name()}, [this] { run(); });
}

bool RunnableRunner::wait_until(Instant deadline) {
  const MutexLock lock(mutex_);
  while (runs_) {
    if (!changed_.wait_until(mutex_, deadline)) return !runs_;
  }
  return true;
}

void RunnableRunner::run() {
  const auto ended = run_body();
  const bool was_stopped = stop_.stop_requested();
  if (!ended && !(was_stopped && ended.error().code == ErrorCode::cancelled)) {
    log_.error("the runnable failed", {{"error", ended.error().to_string()}});
    failed_(Error(ended.error()).with_operation("runnable " + name()));
  } else if (!was_stopped) {
    log_.info("the runnable has ended");
  }
  const MutexLock lock(mutex_);
  runs_ = false;
  changed_.notify_all();
}

Result<void> RunnableRunner::run_body() {
  try {
    return runnable_.body.value()({.client = *client_, .executor = executor_, .log = log_, .stop = stop_.get_token()});
  } catch (...) {
    return fail(ErrorCode::unknown, "it threw " + describe_exception());
  }
}

}  // namespace pintle
