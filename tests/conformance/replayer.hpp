// SPDX-License-Identifier: Apache-2.0
// Replays a recorded scenario against a Handler in this process, as replay.py does over HTTP.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/executor.hpp>
#include <pintle/http/handler.hpp>
#include <pintle/json/value.hpp>

#include "scripted_webhooks.hpp"

namespace pintle::conformance {

// Compares a result with a recording. A placeholder (<uid:1>, <rv:2>, <time>, <name:x->, <message>, <any>, <*> in a
// text) stands for a value that the server generates; equal placeholders stand for equal values. A plain value.
class Comparison {
 public:
  // Appends one line for each difference.
  void diff(const json::Value& want, const json::Value& got, const std::string& path,
            const std::set<std::string>& ignore, std::vector<std::string>& out);

 private:
  bool fits_placeholder(std::string_view want, const json::Value& got, bool& is_placeholder);
  bool fits_role(const std::string& want, const std::string& got);

  std::map<std::string, std::string> seen_;
};

// The token of a request without one.
inline constexpr std::string_view server_token = "secret-token";

// One run of one scenario. Waits only through the Executor.
class Replayer {
 public:
  // `webhooks` is needed by the scenarios that mention a webhook.
  Replayer(Executor& executor, http::Handler& handler, ScriptedWebhooks* webhooks = nullptr)
      : executor_(executor), handler_(handler), webhooks_(webhooks) {}

  // Returns one line for each difference from the recording.
  [[nodiscard]] std::vector<std::string> run(const json::Value& scenario);

 private:
  class Watch;

  void run_request(const json::Value& step, const json::Value& recorded, const std::set<std::string>& ignore,
                   std::vector<std::string>& differences);
  void run_settle(const json::Value& step, std::vector<std::string>& differences);
  void run_received(const json::Value& step, const json::Value& recorded, const std::set<std::string>& ignore,
                    std::vector<std::string>& differences);
  void run_some(const json::Value& recorded, const json::array& asked, const std::set<std::string>& ignore,
                std::vector<std::string>& differences);
  void run_events(const json::Value& step, const json::Value& recorded, const std::set<std::string>& ignore,
                  std::vector<std::string>& differences);
  [[nodiscard]] http::Request request_of(const json::Value& step) const;
  [[nodiscard]] http::Response respond(const http::Request& request);
  [[nodiscard]] json::Value exchange(const json::Value& step);
  // Replaces each ${step:/pointer} by the value in an earlier response.
  [[nodiscard]] json::Value filled(const json::Value& value) const;
  [[nodiscard]] std::string filled(std::string text) const;

  Executor& executor_;
  http::Handler& handler_;
  ScriptedWebhooks* const webhooks_;
  Comparison comparison_;
  std::map<std::string, json::Value> responses_;
  std::map<std::string, std::shared_ptr<Watch>> watches_;
};

}  // namespace pintle::conformance
