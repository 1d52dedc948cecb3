// SPDX-License-Identifier: Apache-2.0
#include "replayer.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include <pintle/json/pointer.hpp>

namespace pintle::conformance {
namespace {

using namespace std::chrono_literals;
using json::Value;

constexpr Duration poll_interval = 10ms;
constexpr Duration retry_interval = 200ms;

std::string text_in(const Value& step, std::string_view name) {
  const Value* found = step.as_object().if_contains(name);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
}

Duration seconds_in(const Value& step, std::string_view name, Duration otherwise) {
  const Value* found = step.as_object().if_contains(name);
  if (found == nullptr || !found->is_number()) return otherwise;
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(found->to_number<double>()));
}

std::set<std::string> texts_in(const Value& step, std::string_view name) {
  std::set<std::string> out;
  const Value* found = step.as_object().if_contains(name);
  if (found == nullptr) return out;
  for (const Value& text : found->as_array()) out.insert(std::string(text.as_string()));
  return out;
}

// Keeps only the named places of a body, as {pointer: value or null}.
Value selected(const Value& body, const Value& pointers) {
  json::object out;
  for (const Value& pointer : pointers.as_array()) {
    const Value* found = json::find(body, std::string_view(pointer.as_string()));
    out[pointer.as_string()] = found == nullptr ? Value() : *found;
  }
  return out;
}

// Prints a value with sorted members, as replay.py does to sort lists.
std::string sorted_text(const Value& value) {
  if (!value.is_object()) return json::print(value);
  std::map<std::string, std::string> members;
  for (const auto& [name, member] : value.get_object()) members[std::string(name)] = sorted_text(member);
  std::string out = "{";
  for (const auto& [name, member] : members) out += "\"" + name + "\": " + member + ", ";
  return out;
}

// Sorts the list at a pointer, whose order is open.
void sort_at(Value& body, std::string_view pointer) {
  Value* list = json::find(body, pointer);
  if (list == nullptr || !list->is_array()) return;
  std::vector<Value> items(list->get_array().begin(), list->get_array().end());
  std::sort(items.begin(), items.end(), [](const Value& a, const Value& b) { return sorted_text(a) < sorted_text(b); });
  list->get_array() = json::array(items.begin(), items.end());
}

// Returns the sorted texts of Warning headers, read as Latin-1 as replay.py does.
Value texts_of(const std::vector<std::string_view>& warnings) {
  std::vector<std::string> texts;
  for (std::string_view warning : warnings) {
    warning.remove_prefix(warning.find('"') + 1);
    warning.remove_suffix(1);
    std::string text;
    for (const char c : warning) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x80) {
        text += c;
      } else {
        text += static_cast<char>(0xc0U | (byte >> 6U));
        text += static_cast<char>(0x80U | (byte & 0x3fU));
      }
    }
    texts.push_back(std::move(text));
  }
  std::sort(texts.begin(), texts.end());
  return json::array(texts.begin(), texts.end());
}

}  // namespace

// An open watch, whose events are read on demand.
class Replayer::Watch {
 public:
  Watch(Executor& executor, http::Response response) : executor_(executor), stream_(std::move(response.stream)) {
    if (stream_ != nullptr) stream_->on_ready([] {});
  }

  [[nodiscard]] bool closed() {
    pull();
    return stream_ == nullptr || ended_;
  }

  std::optional<Value> next(Duration patience) {
    const Instant end = after(executor_.now(), patience);
    pull();
    while (events_.empty() && !closed() && executor_.now() < end) executor_.sleep_for(poll_interval);
    if (events_.empty()) return std::nullopt;
    Value event = std::move(events_.front());
    events_.pop_front();
    return event;
  }

 private:
  void pull() {
    if (stream_ == nullptr || ended_) return;
    ended_ = stream_->read(text_) == http::BodyStream::State::ended;
    for (std::size_t end = text_.find('\n'); end != std::string::npos; end = text_.find('\n')) {
      events_.push_back(json::parse(std::string_view(text_).substr(0, end)).value());
      text_.erase(0, end + 1);
    }
  }

  Executor& executor_;
  std::unique_ptr<http::BodyStream> stream_;
  std::string text_;
  std::deque<Value> events_;
  bool ended_ = false;
};

std::vector<std::string> Replayer::run(const Value& scenario) {
  std::vector<std::string> problems;
  const std::set<std::string> ignored = texts_in(scenario, "ignore");
  int number = 0;
  for (const Value& recorded : scenario.at("steps").as_array()) {
    json::object bare = recorded.as_object();
    bare.erase("response");
    bare.erase("expect");
    const Value step = filled(Value(std::move(bare)));
    std::set<std::string> ignore = texts_in(recorded, "ignore");
    ignore.insert(ignored.begin(), ignored.end());
    const std::string label = text_in(step, "id").empty() ? "step " + std::to_string(number) : text_in(step, "id");
    ++number;

    std::vector<std::string> differences;
    if (step.as_object().contains("pause")) {
      executor_.sleep_for(seconds_in(step, "pause", 0s));
    } else if (const std::string name = text_in(step, "watch"); !name.empty()) {
      watches_[name] = std::make_shared<Watch>(executor_, respond(request_of(step)));
    } else if (const std::string hook = text_in(step, "hook"); !hook.empty()) {
      webhooks_->script(hook, step.at("answer"));
    } else if (step.as_object().contains("settle")) {
      run_settle(step, differences);
    } else if (step.as_object().contains("received")) {
      run_received(step, recorded, ignore, differences);
    } else if (step.as_object().contains("events")) {
      run_events(step, recorded, ignore, differences);
    } else if (const std::string closed = text_in(step, "closed"); !closed.empty()) {
      const Instant end = after(executor_.now(), seconds_in(recorded, "wait", 30s));
      while (!watches_.at(closed)->closed() && executor_.now() < end) executor_.sleep_for(poll_interval);
      if (!watches_.at(closed)->closed()) differences.emplace_back("the watch did not end");
    } else {
      run_request(step, recorded, ignore, differences);
    }
    for (const std::string& difference : differences) problems.push_back(label + ": " + difference);
    const bool is_base =
        label == "ns" || label == "crd" || label == "established" || label == "served" || label == "ready";
    if (is_base && !differences.empty()) break;  // the other steps depend on it
  }
  return problems;
}

void Replayer::run_request(const Value& step, const Value& recorded, const std::set<std::string>& ignore,
                           std::vector<std::string>& differences) {
  std::set<std::string> places;
  for (const std::string& place : ignore) places.insert(place.starts_with('/') ? "/body" + place : place);
  const Instant end = after(executor_.now(), seconds_in(recorded, "retry", 0s));
  Value got;
  while (true) {
    got = exchange(step);
    Value view = got;
    if (const Value* lists = recorded.as_object().if_contains("unordered");
        lists != nullptr && view.as_object().contains("body")) {
      for (const Value& pointer : lists->as_array()) sort_at(view.at("body"), std::string_view(pointer.as_string()));
    }
    if (const Value* only = recorded.as_object().if_contains("only");
        only != nullptr && got.as_object().contains("body")) {
      view.as_object()["body"] = selected(view.at("body"), *only);
    }
    Comparison trial = comparison_;
    differences.clear();
    trial.diff(recorded.at("response"), view, "", places, differences);
    if (differences.empty() || executor_.now() >= end) {
      comparison_ = std::move(trial);
      break;
    }
    executor_.sleep_for(retry_interval);
  }
  const Value* body = got.as_object().if_contains("body");
  if (const std::string id = text_in(step, "id"); !id.empty() && body != nullptr) responses_[id] = *body;
}

// Repeats a request until the webhook at a path is called, or until it is no longer called.
void Replayer::run_settle(const Value& step, std::vector<std::string>& differences) {
  const Value* called = step.as_object().if_contains("called");
  const bool wants_call = called == nullptr || *called == Value(true);
  const Instant end = after(executor_.now(), seconds_in(step, "wait", 15s));
  while (executor_.now() < end) {
    (void)webhooks_->take("*");
    (void)exchange(step);
    if (webhooks_->take(text_in(step, "settle")).empty() != wants_call) {
      (void)webhooks_->take("*");
      return;
    }
    executor_.sleep_for(retry_interval);
  }
  differences.emplace_back(wants_call ? "the webhook was not asked" : "the webhook is still asked");
}

void Replayer::run_received(const Value& step, const Value& recorded, const std::set<std::string>& ignore,
                            std::vector<std::string>& differences) {
  json::array asked = webhooks_->take(text_in(step, "received"));
  const Value* only = recorded.as_object().if_contains("only");
  if (step.as_object().contains("any_order")) {
    std::stable_sort(asked.begin(), asked.end(),
                     [](const Value& a, const Value& b) { return text_in(a, "path") < text_in(b, "path"); });
  }
  json::array views;
  for (Value& one : asked) {
    if (only != nullptr) {
      views.push_back(selected(one, *only));
      continue;
    }
    one.as_object().erase("headers");
    one.as_object().erase("method");
    views.push_back(std::move(one));
  }
  if (step.as_object().contains("some")) return run_some(recorded, views, ignore, differences);
  comparison_.diff(recorded.at("expect"), views, "", ignore, differences);
}

// Each expected request must be among those that were received.
void Replayer::run_some(const Value& recorded, const json::array& asked, const std::set<std::string>& ignore,
                        std::vector<std::string>& differences) {
  for (const Value& want : recorded.at("expect").as_array()) {
    // This server does not send the empty response that is part of the recorded request.
    const bool found = std::any_of(asked.begin(), asked.end(), [&](const Value& got) {
      Comparison trial = comparison_;
      std::vector<std::string> out;
      trial.diff(want, got, "", ignore, out);
      if (out.empty()) comparison_ = std::move(trial);
      return out.empty();
    });
    if (!found) differences.push_back("not received: " + json::print(want));
  }
}

void Replayer::run_events(const Value& step, const Value& recorded, const std::set<std::string>& ignore,
                          std::vector<std::string>& differences) {
  Watch& watch = *watches_.at(text_in(step, "events"));
  const Value* only = recorded.as_object().if_contains("only");
  json::array got;
  const Instant end = after(executor_.now(), seconds_in(recorded, "wait", 10s));
  while (got.size() < recorded.at("expect").as_array().size()) {
    auto event = watch.next(end - executor_.now());
    if (!event) break;
    got.push_back(only == nullptr ? std::move(*event) : selected(*event, *only));
  }
  comparison_.diff(recorded.at("expect"), got, "", ignore, differences);
}

http::Request Replayer::request_of(const Value& step) const {
  const std::string method = text_in(step, "method");
  http::Request request{.method = method.empty() ? "GET" : method, .target = text_in(step, "path")};
  const std::string accept = text_in(step, "accept");
  request.headers = {{"User-Agent", "conformance"}, {"Accept", accept.empty() ? "application/json" : accept}};
  const std::string token = step.as_object().contains("token") ? text_in(step, "token") : std::string(server_token);
  if (!token.empty()) request.headers.set("Authorization", "Bearer " + token);
  const Value* body = step.as_object().if_contains("body");
  if (body != nullptr && !body->is_null()) {
    request.body = body->is_string() ? std::string(body->get_string()) : json::print(*body);
    request.headers.set("Content-Type", "application/json");
  }
  if (const std::string type = text_in(step, "content_type"); !type.empty()) request.headers.set("Content-Type", type);
  if (const Value* headers = step.as_object().if_contains("headers")) {
    for (const auto& [name, given] : headers->as_object()) {
      const json::array values = given.is_array() ? given.get_array() : json::array{given};
      for (const Value& value : values) request.headers.add(std::string(name), std::string(value.as_string()));
    }
  }
  return request;
}

// Waits for a response that calls webhooks.
http::Response Replayer::respond(const http::Request& request) {
  http::Response response = handler_.handle(request);
  return response.deferred ? response.deferred() : std::move(response);
}

Value Replayer::exchange(const Value& step) {
  http::Response response = respond(request_of(step));
  http::read_full_body(response);
  const std::string_view header = response.headers.get("Content-Type").value_or("");
  const std::string_view type = header.substr(0, header.find(';'));
  json::object out{{"code", response.status}, {"content_type", type}};
  if (const auto warnings = response.headers.get_all("Warning"); !warnings.empty()) {
    out["warnings"] = text_in(step, "warnings") == "text" ? texts_of(warnings) : Value(warnings.size());
  }
  auto body = type == "application/json" ? json::parse(response.body) : fail(ErrorCode::invalid, "text");
  if (body) {
    out["body"] = std::move(*body);
  } else {
    out["text"] = response.body;
  }
  return out;
}

Value Replayer::filled(const Value& value) const {
  if (value.is_string()) return Value(filled(std::string(value.get_string())));
  if (value.is_object()) {
    json::object out;
    for (const auto& [name, member] : value.get_object()) out[name] = filled(member);
    return out;
  }
  if (value.is_array()) {
    json::array out;
    for (const Value& item : value.get_array()) out.push_back(filled(item));
    return out;
  }
  return value;
}

std::string Replayer::filled(std::string text) const {
  for (std::size_t at = text.find("${"); at != std::string::npos; at = text.find("${", at)) {
    const std::size_t end = text.find('}', at);
    const std::size_t colon = text.find(':', at);
    if (end == std::string::npos || colon == std::string::npos || colon > end) break;
    if (webhooks_ != nullptr && text.substr(at + 2, colon - at - 2) == "webhook") {
      const std::string filling = webhooks_->value(std::string_view(text).substr(colon + 1, end - colon - 1));
      text.replace(at, end + 1 - at, filling);
      at += filling.size();
      continue;
    }
    const auto found_id = responses_.find(text.substr(at + 2, colon - at - 2));
    const Value* found = found_id == responses_.end()
                             ? nullptr
                             : json::find(found_id->second, std::string_view(text).substr(colon + 1, end - colon - 1));
    const std::string filling = found == nullptr     ? "(missing)"
                                : found->is_string() ? std::string(found->get_string())
                                                     : json::print(*found);
    text.replace(at, end + 1 - at, filling);
    at += filling.size();
  }
  return text;
}

}  // namespace pintle::conformance
