// SPDX-License-Identifier: Apache-2.0
#include "session.hpp"

#include <utility>

#include <fmt/format.h>

#include <pintle/base/utf8.hpp>
#include <pintle/json/pointer.hpp>

namespace pintle::apiserver {
namespace {

using json::Value;

// Seconds for which a read is repeated until it has the recorded result, because the work of controllers takes time.
constexpr int read_patience = 10;

std::string media_type_of(std::string_view content_type) {
  return std::string(content_type.substr(0, content_type.find(';')));
}

// A periodic bookmark depends on time. The one that ends the initial events does not.
bool depends_on_time(const Value& event) {
  const Value* const type = json::find(event, "/type");
  return type != nullptr && *type == "BOOKMARK" &&
         json::find(event, "/object/metadata/annotations/k8s.io~1initial-events-end") == nullptr;
}

bool is_table(const Value& body) {
  const Value* const kind = json::find(body, "/kind");
  return kind != nullptr && *kind == "Table";
}

}  // namespace

Result<void> RecordingSession::open(const std::string& path) {
  const MutexLock lock(mutex_);
  return file_.open(path);
}

// The members of a step that make the request.
json::object RecordingSession::request_step(const http::Request& request) {
  json::object step{{"method", request.method}, {"path", values_.refer_in_target(request.target)}};
  if (!request.body.empty()) {
    const auto body = json::parse(request.body);
    step["body"] = body ? values_.refer(*body) : Value(sanitize_utf8(request.body));
    const std::string_view type = request.headers.get("Content-Type").value_or("");
    if (!type.empty() && type != "application/json") step["content_type"] = sanitize_utf8(type);
  }
  const std::string_view accept = request.headers.get("Accept").value_or("");
  if (!accept.empty() && accept != "application/json") step["accept"] = sanitize_utf8(accept);
  json::object impersonation;
  for (const auto& [name, value] : request.headers) {
    if (!name.starts_with("Impersonate-")) continue;
    Value& values = impersonation[name];
    if (values.is_null()) values = json::array();
    values.get_array().emplace_back(sanitize_utf8(value));
  }
  if (!impersonation.empty()) step["headers"] = std::move(impersonation);
  return step;
}

void RecordingSession::add(const http::Request& request, const http::Response& response) {
  const MutexLock lock(mutex_);
  if (is_finished_) return;
  json::object step = request_step(request);
  const std::string id = fmt::format("s{}", ++steps_);
  step["id"] = id;
  if (request.method == "GET") step["retry"] = read_patience;
  const std::string type = media_type_of(response.headers.get("Content-Type").value_or(""));
  json::object recorded{{"code", response.status}, {"content_type", type}};
  if (const std::size_t warnings = response.headers.get_all("Warning").size(); warnings != 0) {
    recorded["warnings"] = warnings;
  }
  const auto body = type == "application/json" ? json::parse(response.body) : Result<Value>(Value());
  if (type != "application/json" || !body) {
    recorded["text"] = sanitize_utf8(response.body);
  } else if (is_table(*body)) {
    step["only"] = json::array{"/kind"};
    recorded["body"] = json::object{{"/kind", "Table"}};
  } else {
    recorded["body"] = values_.generalize(*body, id);
  }
  step["response"] = std::move(recorded);
  file_.append(Value(std::move(step)));
}

std::string RecordingSession::begin_watch(const http::Request& request) {
  const MutexLock lock(mutex_);
  const std::string name = fmt::format("w{}", ++watches_);
  events_.try_emplace(name);
  if (is_finished_) return name;
  json::object step = request_step(request);
  step["watch"] = name;
  file_.append(Value(std::move(step)));
  return name;
}

void RecordingSession::add_event(const std::string& watch, Value event) {
  const MutexLock lock(mutex_);
  if (!is_finished_ && !depends_on_time(event)) events_[watch].push_back(std::move(event));
}

void RecordingSession::end_watch(const std::string& watch) {
  const MutexLock lock(mutex_);
  write_events(watch);
  events_.erase(watch);
}

void RecordingSession::write_events(const std::string& watch) {
  const auto found = events_.find(watch);
  if (is_finished_ || found == events_.end() || found->second.empty()) return;
  json::array expected;
  for (const Value& event : found->second) {
    json::object next = event.as_object();
    Value& object = next["object"];
    object = values_.generalize(object, "");
    // The version of a bookmark is that of the whole server.
    if (next["type"] == "BOOKMARK") object.as_object()["metadata"].as_object()["resourceVersion"] = "<any>";
    expected.push_back(std::move(next));
  }
  found->second.clear();
  file_.append(json::object{{"events", watch}, {"expect", std::move(expected)}});
}

Result<void> RecordingSession::finish() {
  const MutexLock lock(mutex_);
  for (const auto& [watch, events] : events_) write_events(watch);
  is_finished_ = true;
  return file_.check();
}

}  // namespace pintle::apiserver
