// SPDX-License-Identifier: Apache-2.0
// ScriptedWebhooks: the webhook server of replay.py, in memory. Its responses are defined by the steps of a scenario,
// and it records the requests.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/executor.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/http/handler.hpp>
#include <pintle/json/value.hpp>
#include <pintle/sim/in_process_network.hpp>

namespace pintle::conformance {

// Thread-safe.
class ScriptedWebhooks final : public http::Handler {
 public:
  ScriptedWebhooks(Executor& executor, http::InProcessNetwork& network, std::string scenario);

  // Returns the value of ${webhook:KEY}: "url", "ca", "url-refused", …
  [[nodiscard]] std::string value(std::string_view key) const;
  // Sets the response at a path. Each item of a list is one response, and the last one stays.
  void script(const std::string& path, const json::Value& answer);
  // Returns the requests at a path ("*": at any path) since the last call.
  [[nodiscard]] json::array take(std::string_view path);

  [[nodiscard]] http::Response handle(const http::Request& request) override;

 private:
  [[nodiscard]] json::Value next_answer(const std::string& path) PINTLE_REQUIRES(mutex_);

  const std::string scenario_;
  std::map<std::string, std::string, std::less<>> values_;
  std::vector<std::unique_ptr<http::RunningServer>> servers_;
  Mutex mutex_;
  std::map<std::string, std::deque<json::Value>> scripts_ PINTLE_GUARDED_BY(mutex_);
  json::array asked_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle::conformance
