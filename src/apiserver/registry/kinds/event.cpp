// SPDX-License-Identifier: Apache-2.0
// The rules of Event. It is stored as core/v1 and shown as that or as events.k8s.io/v1.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include <pintle/object/names.hpp>

#include "../cells.hpp"
#include "../rules.hpp"
#include "apiserver/registry/metadata.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> renamed{{
    {"involvedObject", "regarding"},
    {"message", "note"},
    {"source", "deprecatedSource"},
    {"firstTimestamp", "deprecatedFirstTimestamp"},
    {"lastTimestamp", "deprecatedLastTimestamp"},
    {"count", "deprecatedCount"},
    {"reportingComponent", "reportingController"},
}};

void rename(Value& value, std::string_view from, std::string_view to) {
  json::object& object = value.as_object();
  Value* found = object.if_contains(from);
  if (found == nullptr) return;
  Value moved = std::move(*found);
  object.erase(from);
  object[to] = std::move(moved);
}

// Adds the members that a struct prints even if they are not set.
void fill(Value& value, bool core) {
  json::object& object = value.as_object();
  const auto name = [&](std::size_t i) { return core ? renamed.at(i).first : renamed.at(i).second; };
  for (const std::string_view time : {name(3), name(4), std::string_view("eventTime")}) object.emplace(time, nullptr);
  object_in(value, name(0));
  object_in(value, name(2));
  if (core) {
    object.emplace("reportingComponent", "");
    object.emplace("reportingInstance", "");
  }
}

void check_length(const Value& event, std::string_view name, std::size_t limit, std::vector<StatusCause>& causes) {
  const std::string_view text = text_at(event, std::string("/").append(name));
  if (text.empty()) {
    causes.push_back(required(std::string(name)));
  } else if (text.size() > limit) {
    causes.push_back(
        invalid_value(std::string(name), Value(text), fmt::format("can have at most {} characters", limit)));
  }
}

class EventStrategy final : public BuiltinStrategy {
 public:
  explicit EventStrategy(BuiltinKind kind) : BuiltinStrategy(kind), core_(kind.facts.group.empty()) {}

  void from_storage(Value& event) const override {
    if (core_) return;
    for (const auto& [stored, shown] : renamed) rename(event, stored, shown);
    json::object& object = event.as_object();
    for (const char* name : {"reportingController", "reportingInstance"}) {
      if (text_at(event, std::string("/") + name).empty()) object.erase(name);
    }
  }

  void to_storage(Value& event) const override {
    if (core_) return;
    for (const auto& [stored, shown] : renamed) rename(event, shown, stored);
    fill(event, true);
  }

  bool has_own_cells() const override { return true; }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    if (old == nullptr && !core_) validate_new(next, causes);
    const std::string pointer = core_ ? "/involvedObject/namespace" : "/regarding/namespace";
    const std::string_view subject = text_at(next, pointer);
    const std::string_view namespace_ = text_at(next, "/metadata/namespace");
    const bool fits = subject.empty() ? namespace_ == "default" || !core_ : subject == namespace_;
    if (!fits)
      causes.push_back(invalid_value("involvedObject.namespace", Value(subject), "does not match event.namespace"));
  }

  Value zero() const override {
    Value event = json::object();
    fill(event, core_);
    return event;
  }

  json::array cells(json::View event, WallTime now) const override {
    const std::string_view first_time = event.member("firstTimestamp").text();
    const std::string first = human_age(first_time.empty() ? event.member("eventTime").text() : first_time, now);
    const std::string_view last_time = event.member("lastTimestamp").text();
    std::string last = last_time.empty() ? first : human_age(last_time, now);
    std::int64_t count = std::max<std::int64_t>(1, integer_cell(event.member("count")));
    if (const json::View series = event.member("series")) {
      last = human_age(series.member("lastObservedTime").text(), now);
      count = integer_cell(series.member("count"));
    }
    return {last,
            event.member("type").text(),
            event.member("reason").text(),
            subject(event.member("involvedObject")),
            event["/involvedObject/fieldPath"].text(),
            source(event),
            event.member("message").text(),
            first,
            count,
            event["/metadata/name"].text()};
  }

 protected:
  void set_defaults(Value& event) const override { fill(event, core_); }

 private:
  static void validate_new(const Value& event, std::vector<StatusCause>& causes) {
    if (text_at(event, "/eventTime").empty()) causes.push_back(required("eventTime"));
    const std::string_view type = text_at(event, "/type");
    if (type != "Normal" && type != "Warning") {
      causes.push_back(invalid_value("type", Value(type), "has invalid value: must be Normal or Warning"));
    }
    const std::string_view controller = text_at(event, "/reportingController");
    if (controller.empty()) {
      causes.push_back(required("reportingController"));
    } else if (const auto error = qualified_name_error(controller)) {
      causes.push_back(invalid_value("reportingController", Value(controller), *error));
    }
    check_length(event, "reportingInstance", 128, causes);
    check_length(event, "action", 128, causes);
    check_length(event, "reason", 128, causes);
    const std::string_view note = text_at(event, "/note");
    if (note.size() > 1024) causes.push_back(invalid_value("note", Value(note), "can have at most 1024 bytes"));
    const Value* count = json::find(event, "/series/count");
    if (count != nullptr && count->as_int64() < 2) {
      causes.push_back(invalid_value("series.count", *count, "should be at least 2"));
    }
  }

  static std::string subject(json::View reference) {
    std::string kind(reference.member("kind").text());
    std::transform(kind.begin(), kind.end(), kind.begin(), [](char c) { return 'A' <= c && c <= 'Z' ? c + 32 : c; });
    const std::string_view name = reference.member("name").text();
    return name.empty() ? kind : fmt::format("{}/{}", kind, name);
  }

  static std::string source(json::View event) {
    std::string_view component = event["/source/component"].text();
    std::string_view host = event["/source/host"].text();
    if (component.empty()) component = event.member("reportingComponent").text();
    if (host.empty()) host = event.member("reportingInstance").text();
    return host.empty() ? std::string(component) : fmt::format("{}, {}", component, host);
  }

  const bool core_;
};

}  // namespace

StrategyPtr event_strategy(BuiltinKind kind) { return std::make_shared<EventStrategy>(std::move(kind)); }

}  // namespace pintle::apiserver
