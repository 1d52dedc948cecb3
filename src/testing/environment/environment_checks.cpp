// SPDX-License-Identifier: Apache-2.0
// The checks of TestEnvironment, and their messages.
#include <cstdint>
#include <optional>
#include <utility>

#include "environment_state.hpp"

namespace pintle::testkit {
namespace {

constexpr std::size_t shown_names = 10;
constexpr Duration max_age = std::chrono::seconds(1);  // a read may be stale, if the server has such a fault

std::string yaml_of(const Object& object) {
  json::Value shown = object.to_value();
  if (json::Value* metadata = shown.as_object().if_contains("metadata")) metadata->as_object().erase("managedFields");
  return json::print_yaml(shown);
}

// Reads one object repeatedly and compares it with a matcher. Reads it again after a write, or when it is old.
class Observation {
 public:
  Observation(EnvironmentState& state, const GroupVersionKind& kind, const ObjectName& name, const Matcher& matcher)
      : state_(state), kind_(kind), name_(name), matcher_(matcher) {}

  void look() {
    const auto writes = state_.host->writes();
    const Instant now = state_.host->executor().now();
    if (!writes || writes != writes_ || !error_.empty() || now - read_at_ >= max_age) read(writes, now);
    if (object_) result_ = matcher_(*object_);
  }
  [[nodiscard]] bool matches() const { return object_ && result_.holds; }
  [[nodiscard]] bool is_missing() const { return !object_ && error_.empty(); }
  [[nodiscard]] bool has_failed() const { return !error_.empty(); }

  [[nodiscard]] std::string object() const {
    return placed_ ? placed_->describe() : kind_.to_string() + " " + name_.key.to_string();
  }
  // Describes the object on the server; a sentence without its subject.
  [[nodiscard]] std::string describe() const {
    if (!error_.empty()) return "cannot be read: " + error_;
    if (!object_) return "does not exist" + others();
    return (result_.holds ? "matches: " : "does not match: ") + result_.message + "\n" + yaml_of(*object_);
  }
  [[nodiscard]] const std::string& message() const { return result_.message; }

 private:
  void read(std::optional<std::uint64_t> writes, Instant now) {
    writes_ = writes;
    read_at_ = now;
    object_.reset();
    error_.clear();
    auto placed = state_.find_place(kind_, name_);
    if (!placed) {
      error_ = placed.error().to_string();
      return;
    }
    placed_ = std::move(*placed);
    auto object = state_.read(*placed_);
    if (object) {
      object_ = std::move(*object);
    } else if (object.error().code != ErrorCode::not_found) {
      error_ = object.error().to_string();
    }
  }
  // The names of the objects that exist instead.
  [[nodiscard]] std::string others() const {
    std::string names;
    std::size_t count = 0;
    const auto take = [&](const Object& object) {
      if (++count > shown_names) return false;
      names += (names.empty() ? "" : ", ") + std::string(object.name());
      return true;
    };
    const auto read = state_.host->user().for_each(kind_, {.namespace_ = placed_->key.namespace_}, take);
    if (!read) return "";
    const std::string where = placed_->key.namespace_.empty() ? "" : " in this namespace";
    if (names.empty()) return "; there is no " + kind_.kind + where;
    return "; " + std::string(count > shown_names ? "the first " : "the ") + kind_.kind + " objects" + where + " are " +
           names;
  }

  EnvironmentState& state_;
  const GroupVersionKind& kind_;
  const ObjectName& name_;
  const Matcher& matcher_;
  std::optional<PlacedObject> placed_{};
  std::optional<std::uint64_t> writes_{};
  Instant read_at_{};
  std::optional<Object> object_{};
  std::string error_{};
  CheckResult result_{};
};

CheckResult without_message(bool holds) { return {.holds = holds, .message = {}}; }

}  // namespace

CheckResult TestEnvironment::exists(const Object& object) {
  return {.holds = true, .message = object.describe() + " exists"};
}

CheckResult TestEnvironment::wait_for(const std::string& description, const std::function<CheckResult()>& condition,
                                      Duration limit) {
  const Duration time = limit > Duration::zero() ? limit : state_->limit();
  CheckResult result = state_->wait(condition, time);
  if (result) return result;
  result.message =
      "not within " + format_duration(time) + ": " + description + ": " + result.message + state_->describe_operator();
  return result;
}

CheckResult TestEnvironment::eventually(const GroupVersionKind& kind, const ObjectName& name, const Matcher& matcher,
                                        Duration limit) {
  Observation observation(*state_, kind, name, matcher);
  const Duration time = limit > Duration::zero() ? limit : state_->limit();
  const auto matches = [&] {
    observation.look();
    return without_message(observation.matches());
  };
  if (state_->wait(matches, time))
    return {.holds = true, .message = observation.object() + ": " + observation.message()};
  return {.holds = false,
          .message = observation.object() + ", after " + format_duration(time) + ", " + observation.describe() +
                     state_->describe_operator()};
}

CheckResult TestEnvironment::gone(const GroupVersionKind& kind, const ObjectName& name, Duration limit) {
  const Matcher matcher(&exists);
  Observation observation(*state_, kind, name, matcher);
  const Duration time = limit > Duration::zero() ? limit : state_->limit();
  const auto is_missing = [&] {
    observation.look();
    return without_message(observation.is_missing());
  };
  if (state_->wait(is_missing, time)) return {.holds = true, .message = observation.object() + " does not exist"};
  return {.holds = false,
          .message = observation.object() + " is not gone after " + format_duration(time) + ": it " +
                     observation.describe() + state_->describe_operator()};
}

CheckResult TestEnvironment::always(const GroupVersionKind& kind, const ObjectName& name, const Matcher& matcher,
                                    Duration time) {
  Observation observation(*state_, kind, name, matcher);
  const auto still = [&]() -> CheckResult {
    observation.look();
    return observation.matches() ? CheckResult{.holds = true}
                                 : CheckResult{.holds = false, .message = observation.describe()};
  };
  CheckResult result = state_->observe(still, time > Duration::zero() ? time : state_->observation());
  if (result) return {.holds = true, .message = observation.object() + ": " + observation.message()};
  result.message = observation.object() + ", " + result.message + state_->describe_operator();
  return result;
}

CheckResult TestEnvironment::never(const GroupVersionKind& kind, const ObjectName& name, const Matcher& matcher,
                                   Duration time) {
  Observation observation(*state_, kind, name, matcher);
  const auto still = [&]() -> CheckResult {
    observation.look();
    const bool is_wrong = observation.matches() || observation.has_failed();
    return is_wrong ? CheckResult{.holds = false, .message = observation.describe()} : CheckResult{.holds = true};
  };
  CheckResult result = state_->observe(still, time > Duration::zero() ? time : state_->observation());
  if (result) return {.holds = true, .message = observation.object() + " never matched"};
  result.message = observation.object() + ", " + result.message + state_->describe_operator();
  return result;
}

}  // namespace pintle::testkit
