// SPDX-License-Identifier: Apache-2.0
// Test support of this layer: temporary folders, a scripted server, log sinks and executors.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pintle/base/log.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/http/handler.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/sim/simulated_executor.hpp>

namespace pintle {

inline const GroupVersionKind config_map{"v1", "ConfigMap"};

// A folder that exists as long as this instance.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "pintle-client-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    // The rename is atomic, so that a reader on another thread never reads a part of the file.
    std::ofstream(path_ / (name + ".new")) << text;
    std::filesystem::rename(path_ / (name + ".new"), path_ / name);
    return path(name);
  }

 private:
  std::filesystem::path path_;
};

// Sets an environment variable for a scope; null removes it.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    set(value);
  }
  ~ScopedVariable() { set(old_ ? old_->c_str() : nullptr); }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  void set(const char* value) {
    if (value == nullptr) {
      ::unsetenv(name_);
    } else {
      ::setenv(name_, value, 1);
    }
  }

  const char* name_;
  std::optional<std::string> old_;
};

// Stores the logged lines as "message key=value". Thread-safe on any executor.
class LineSink final : public LogSink {
 public:
  explicit LineSink(Executor& executor) : mutex_(executor) {}

  void write(const LogRecord& record) override {
    std::string line(record.message);
    for (const LogField& field : record.fields) {
      if (const std::string* text = field.value.as_string()) line += " " + field.name + "=" + *text;
    }
    const MutexLock lock(mutex_);
    lines_.push_back(std::move(line));
  }
  [[nodiscard]] std::vector<std::string> lines() {
    const MutexLock lock(mutex_);
    return lines_;
  }

 private:
  Mutex mutex_;
  std::vector<std::string> lines_ PINTLE_GUARDED_BY(mutex_);
};

inline http::Response json_response(int status, std::string body, http::Headers headers = {}) {
  headers.set("Content-Type", "application/json");
  return {.status = status, .headers = std::move(headers), .body = std::move(body)};
}

inline http::Response status_response(int code, const std::string& reason, http::Headers headers = {},
                                      const std::string& details = "{}") {
  return json_response(code,
                       R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":"it is so","reason":")" +
                           reason + R"(","details":)" + details + R"(,"code":)" + std::to_string(code) + "}",
                       std::move(headers));
}

inline http::Response config_map_response(const std::string& name = "a", const std::string& version = "5") {
  return json_response(200, R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":")" + name +
                                R"(","namespace":"default","uid":"u","resourceVersion":")" + version +
                                R"("},"data":{"k":"v"}})");
}

// Responds to discovery requests by itself, and to each other request with the next step of its script, then with 500.
// Stores the requests. Thread-safe.
class ScriptedServer final : public http::Handler {
 public:
  using Responder = std::function<http::Response(const http::Request&)>;

  explicit ScriptedServer(Executor& executor) : executor_(executor), mutex_(executor) {}

  struct ReceivedRequest {
    http::Request request{};
    Instant at{};
  };

  ScriptedServer& then(Responder responder) {
    const MutexLock lock(mutex_);
    script_.push_back(std::move(responder));
    return *this;
  }
  ScriptedServer& then(std::function<http::Response()> responder) {
    return then([responder](const http::Request&) { return responder(); });
  }
  // Replaces the responses to discovery requests.
  void on_discovery(Responder responder) {
    const MutexLock lock(mutex_);
    discovery_ = std::move(responder);
  }

  http::Response handle(const http::Request& request) override {
    const bool discovers = is_discovery(request.target);
    Responder responder;
    {
      const MutexLock lock(mutex_);
      (discovers ? discoveries_ : requests_).push_back({request, executor_.now()});
      if (discovers) {
        responder = discovery_;
      } else if (next_ < script_.size()) {
        responder = script_[next_++];
      }
    }
    if (responder) return responder(request);
    return discovers ? own_discovery(request.target) : status_response(500, "ScriptIsOver");
  }

  // All requests except those of discovery.
  [[nodiscard]] std::vector<ReceivedRequest> requests() {
    const MutexLock lock(mutex_);
    return requests_;
  }
  [[nodiscard]] std::vector<ReceivedRequest> discoveries() {
    const MutexLock lock(mutex_);
    return discoveries_;
  }

 private:
  static bool is_discovery(const std::string& target) {
    if (target == "/api" || target == "/api/v1") return true;
    return target == "/apis" || (target.starts_with("/apis/") && std::ranges::count(target, '/') == 3);
  }
  static http::Response own_discovery(const std::string& target) {
    if (target != "/api/v1") return {.status = 404, .body = "404 page not found\n"};
    return json_response(200, R"({"kind":"APIResourceList","groupVersion":"v1","resources":[
      {"name":"configmaps","namespaced":true,"kind":"ConfigMap","verbs":["get","list"]},
      {"name":"namespaces","namespaced":false,"kind":"Namespace","verbs":["get"]},
      {"name":"namespaces/status","namespaced":false,"kind":"Namespace","verbs":["get"]}]})");
  }

  Executor& executor_;
  Mutex mutex_;
  std::vector<Responder> script_ PINTLE_GUARDED_BY(mutex_);
  std::size_t next_ PINTLE_GUARDED_BY(mutex_) = 0;
  Responder discovery_ PINTLE_GUARDED_BY(mutex_);
  std::vector<ReceivedRequest> requests_ PINTLE_GUARDED_BY(mutex_);
  std::vector<ReceivedRequest> discoveries_ PINTLE_GUARDED_BY(mutex_);
};

// Runs `body` on simulated executors with the seeds 1 to `seeds`.
inline void on_seeds(std::uint64_t seeds, const std::function<void(Executor&)>& body) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SimulatedExecutor executor({.seed = seed});
    body(executor);
  }
}

// Runs `body` on the real executor, then on simulated ones with 50 seeds.
inline void on_both_executors(const std::function<void(Executor&)>& body) {
  const auto real = make_real_executor();
  body(*real);
  on_seeds(50, body);
}

}  // namespace pintle
