// SPDX-License-Identifier: Apache-2.0
#include <pintle/testing/matchers.hpp>

#include <optional>
#include <string_view>
#include <utility>

#include <pintle/object/bytes.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/condition.hpp>
#include <pintle/object/owner.hpp>

namespace pintle::testkit {
namespace {

// "label app", "is \"web\"": compares a text with the one that is there, or with nothing.
CheckResult compare(const std::string& place, std::optional<std::string_view> found, const std::string& expected) {
  if (!found) return {.holds = false, .message = place + " is missing"};
  const bool holds = *found == expected;
  std::string message = place + " is \"" + std::string(*found) + "\"";
  if (!holds) message += " instead of \"" + expected + "\"";
  return {.holds = holds, .message = std::move(message)};
}

std::optional<std::string_view> text_at(json::View place) {
  return place.is_string() ? std::optional(place.text()) : std::nullopt;
}

std::string describe(const StatusCondition& condition) {
  std::string text = "condition " + condition.type + " is " + std::string(to_string(condition.status));
  if (!condition.reason.empty()) text += " with the reason " + condition.reason;
  if (!condition.message.empty()) text += ": " + condition.message;
  return text;
}

// The generation on which a condition is based, if the object contains it.
std::optional<std::int64_t> generation_of(const Object& object, const StatusCondition& condition) {
  if (condition.observed_generation != 0) return condition.observed_generation;
  return object["/status/observedGeneration"].as_integer();
}

bool is_absent(json::View place) { return !place.exists() || place.is_null(); }

std::string shown(json::View place) { return is_absent(place) ? "missing" : place.print(); }

// Returns the first difference, or nothing.
std::optional<std::string> difference(json::View found, const json::Value& expected, const std::string& at) {
  if (expected.is_null() && is_absent(found)) return std::nullopt;
  if (expected.is_object() && found.is_object()) {
    for (const auto& member : expected.as_object()) {
      const std::string name(member.key());
      if (auto other = difference(found.member(name), member.value(), at + "/" + name)) return other;
    }
    return std::nullopt;
  }
  if (expected.is_array() && found.is_array() && expected.as_array().size() == found.size()) {
    std::size_t index = 0;
    for (const json::Value& one : expected.as_array()) {
      if (auto other = difference(found.element(index), one, at + "/" + std::to_string(index))) return other;
      ++index;
    }
    return std::nullopt;
  }
  const bool may_be_equal = !expected.is_object() && !expected.is_array() && !is_absent(found);
  if (may_be_equal && json::equal(found.to_value(), expected)) return std::nullopt;
  return (at.empty() ? "the object" : at) + " is " + shown(found) + " instead of " + json::print(expected);
}

}  // namespace

CheckResult to_check(const Result<void>& result) {
  if (result) return {.holds = true, .message = "the check of the test holds"};
  return {.holds = false, .message = result.error().to_string()};
}

Matcher is_ready() {
  return [](const Object& object) -> CheckResult {
    const auto condition = find_condition(object, "Ready");
    if (!condition) return {.holds = false, .message = "condition Ready is missing"};
    CheckResult result{.holds = condition->status == ConditionStatus::true_, .message = describe(*condition)};
    const auto generation = generation_of(object, *condition);
    if (!generation || *generation == object.generation()) return result;
    result.holds = false;
    result.message +=
        ", for generation " + std::to_string(*generation) + " instead of " + std::to_string(object.generation());
    return result;
  };
}

Matcher has_condition(std::string type, std::string status, std::string reason) {
  return [type = std::move(type), status = std::move(status), reason = std::move(reason)](const Object& object) {
    const auto condition = find_condition(object, type);
    if (!condition) return CheckResult{.holds = false, .message = "condition " + type + " is missing"};
    const bool holds = to_string(condition->status) == status && (reason.empty() || condition->reason == reason);
    std::string message = describe(*condition);
    if (!holds) message += ", instead of " + status + (reason.empty() ? "" : " with the reason " + reason);
    return CheckResult{.holds = holds, .message = std::move(message)};
  };
}

Matcher is_deleting() {
  return [](const Object& object) -> CheckResult {
    if (!object.is_deleting()) return {.holds = false, .message = "the object is not being deleted"};
    return {.holds = true, .message = "the object is being deleted, with the finalizers " + shown(object.finalizers())};
  };
}

Matcher has_label(std::string name, std::string value) {
  return [name = std::move(name), value = std::move(value)](const Object& object) {
    return compare("label " + name, text_at(object.labels().member(name)), value);
  };
}

Matcher has_annotation(std::string name, std::string value) {
  return [name = std::move(name), value = std::move(value)](const Object& object) {
    return compare("annotation " + name, text_at(object.annotations().member(name)), value);
  };
}

Matcher has_finalizer(std::string name) {
  return [name = std::move(name)](const Object& object) -> CheckResult {
    return {.holds = object.has_finalizer(name), .message = "the finalizers are " + shown(object.finalizers())};
  };
}

Matcher internal::is_controlled_by(const GroupVersionKind& kind, const std::string& name, const std::string& uid) {
  return [kind, name, uid](const Object& object) -> CheckResult {
    const auto owner = controller_of(object);
    if (!owner) return {.holds = false, .message = "the object has no controller"};
    const bool is_named = GroupVersionKind(owner->api_version, owner->kind) == kind && owner->name == name;
    const bool holds = uid.empty() ? is_named : owner->uid == uid;
    std::string message = "the controller is " + owner->api_version + " " + owner->kind + " " + owner->name;
    if (!holds)
      message += " (uid " + owner->uid + ") instead of " + kind.to_string() + " " + name + " (uid " + uid + ")";
    return {.holds = holds, .message = std::move(message)};
  };
}

Matcher is_controlled_by(const Object& owner) {
  return internal::is_controlled_by(owner.group_version_kind(), std::string(owner.name()), std::string(owner.uid()));
}

Matcher has_data(std::string key, std::string value) {
  return [key = std::move(key), value = std::move(value)](const Object& object) -> CheckResult {
    const json::View entry = object.root().member("data").member(key);
    const std::string place = "data \"" + key + "\"";
    if (object.kind() != "Secret" || !entry.is_string()) return compare(place, text_at(entry), value);
    const auto decoded = Bytes::from_base64(entry.text());
    if (!decoded) return {.holds = false, .message = place + ": " + decoded.error().message};
    return compare(place, std::string_view(decoded->data), value);
  };
}

Matcher has_field(std::string pointer, json::Value value) {
  return [pointer = std::move(pointer), value = std::move(value)](const Object& object) -> CheckResult {
    const json::View found = object[pointer];
    const bool holds = value.is_null() ? is_absent(found) : found.exists() && json::equal(found.to_value(), value);
    std::string message = pointer + " is " + shown(found);
    if (!holds) message += " instead of " + (value.is_null() ? "missing" : json::print(value));
    return {.holds = holds, .message = std::move(message)};
  };
}

Matcher contains(json::Value part) {
  return [part = std::move(part)](const Object& object) -> CheckResult {
    auto other = difference(object.root(), part, "");
    if (other) return {.holds = false, .message = std::move(*other)};
    return {.holds = true, .message = "the object contains " + json::print(part)};
  };
}

Matcher contains_yaml(const std::string& part) {
  auto parsed = json::parse_yaml(part);
  if (parsed) return contains(std::move(*parsed));
  return
      [message = parsed.error().to_string()](const Object&) { return CheckResult{.holds = false, .message = message}; };
}

}  // namespace pintle::testkit
