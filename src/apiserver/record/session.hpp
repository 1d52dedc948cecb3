// SPDX-License-Identifier: Apache-2.0
// RecordingSession: what a Recorder has recorded.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/mutex.hpp>
#include <pintle/http/handler.hpp>
#include <pintle/http/message.hpp>
#include <pintle/json/value.hpp>

#include "generated_values.hpp"
#include "scenario_file.hpp"

namespace pintle::apiserver {

namespace internal {

// Thread-safe.
class RecordingSession {
 public:
  RecordingSession(Executor& executor, http::Handler& handler) : handler_(handler), mutex_(executor) {}

  [[nodiscard]] Result<void> open(const std::string& path);
  [[nodiscard]] http::Handler& handler() noexcept { return handler_; }
  void add(const http::Request& request, const http::Response& response);
  // Returns the name of the watch.
  [[nodiscard]] std::string begin_watch(const http::Request& request);
  void add_event(const std::string& watch, json::Value event);
  void end_watch(const std::string& watch);
  [[nodiscard]] Result<void> finish();

 private:
  [[nodiscard]] json::object request_step(const http::Request& request) PINTLE_REQUIRES(mutex_);
  void write_events(const std::string& watch) PINTLE_REQUIRES(mutex_);

  http::Handler& handler_;
  Mutex mutex_;
  ScenarioFile file_ PINTLE_GUARDED_BY(mutex_);
  GeneratedValues values_ PINTLE_GUARDED_BY(mutex_);
  std::map<std::string, std::vector<json::Value>> events_ PINTLE_GUARDED_BY(mutex_);  // of the open watches
  int steps_ PINTLE_GUARDED_BY(mutex_) = 0;
  int watches_ PINTLE_GUARDED_BY(mutex_) = 0;
  bool is_finished_ PINTLE_GUARDED_BY(mutex_) = false;
};

}  // namespace internal

using internal::RecordingSession;

}  // namespace pintle::apiserver
