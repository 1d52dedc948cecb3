// SPDX-License-Identifier: Apache-2.0
// Matchers: functions that compare an object with an expectation, for TestEnvironment and for the checks of any test.
//
//   EXPECT_TRUE(has_label("app", "web")(object));
//   EXPECT_TRUE(environment.eventually<Deployment>("web", all_of(has_field("/spec/replicas", 3),
//   negated(is_ready()))));
#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/fields.hpp>
#include <pintle/object/object.hpp>
#include <pintle/testing/call_recorder.hpp>

namespace pintle::testkit {

/// Converts the result of a matcher. A bool has no message of its own.
[[nodiscard]] inline CheckResult to_check(CheckResult result) { return result; }
[[nodiscard]] inline CheckResult to_check(std::same_as<bool> auto holds) {
  return {.holds = holds, .message = holds ? "the condition of the test holds" : "the condition of the test is false"};
}
[[nodiscard]] PINTLE_EXPORT CheckResult to_check(const Result<void>& result);

/// Compares an object with an expectation. The message describes what the object has, whether or not it matches:
/// "label app is \"api\" instead of \"web\"". Any function of an object that returns a CheckResult, a bool or a
/// Result<void> converts to a matcher. It is called again and again, so it should depend only on the object.
class Matcher {
 public:
  template <class F>
    requires(!std::same_as<std::remove_cvref_t<F>, Matcher>) &&
            requires(const F& function, const Object& object) { to_check(function(object)); }
  Matcher(F function)  // NOLINT(google-explicit-constructor)
      : function_([function = std::move(function)](const Object& object) { return to_check(function(object)); }) {}

  [[nodiscard]] CheckResult operator()(const Object& object) const { return function_(object); }

 private:
  std::function<CheckResult(const Object&)> function_;
};

/// The condition Ready is True. The observedGeneration of the condition, or of the status if the condition has none,
/// must be the current generation of the object; a missing one is accepted.
[[nodiscard]] PINTLE_EXPORT Matcher is_ready();
/// The condition has this status, and this reason unless `reason` is empty.
[[nodiscard]] PINTLE_EXPORT Matcher has_condition(std::string type, std::string status = "True",
                                                  std::string reason = {});
/// The object has been deleted and waits for its finalizers.
[[nodiscard]] PINTLE_EXPORT Matcher is_deleting();

[[nodiscard]] PINTLE_EXPORT Matcher has_label(std::string name, std::string value);
[[nodiscard]] PINTLE_EXPORT Matcher has_annotation(std::string name, std::string value);
[[nodiscard]] PINTLE_EXPORT Matcher has_finalizer(std::string name);
/// `owner` is the controller of the object: by its uid, or by its kind and name if `owner` has no uid.
[[nodiscard]] PINTLE_EXPORT Matcher is_controlled_by(const Object& owner);
template <Described T>
[[nodiscard]] Matcher is_controlled_by(const T& owner);

/// The entry in the data of a ConfigMap, or the decoded entry in the data of a Secret, has this value.
[[nodiscard]] PINTLE_EXPORT Matcher has_data(std::string key, std::string value);
/// The place at a JSON pointer has this value; null means that the place is missing or null.
[[nodiscard]] PINTLE_EXPORT Matcher has_field(std::string pointer, json::Value value);
/// The object contains all members of `part`, at every depth, with the same values. Its further members are not
/// compared, but lists must have the same length. A null in `part` means that the member is missing or null.
[[nodiscard]] PINTLE_EXPORT Matcher contains(json::Value part);
/// The same for a part in YAML: contains_yaml("spec: {replicas: 3}"). If the text is not valid YAML, no object matches,
/// and the message contains the error.
[[nodiscard]] PINTLE_EXPORT Matcher contains_yaml(const std::string& part);

/// A function that compares objects of type T: a described struct or Object. A function for Object compares a decoded
/// struct too, by the object from which it was decoded.
template <class M, class T>
concept MatcherOf = requires(const M& matcher, const T& object) { to_check(matcher(object)); } ||
                    requires(const M& matcher, const Object& object) { to_check(matcher(object)); };

/// Calls a matcher. A struct that was not decoded is an empty object for a matcher of Object.
template <class T, MatcherOf<T> M>
[[nodiscard]] CheckResult match(const T& object, const M& matcher) {
  if constexpr (requires { to_check(matcher(object)); }) {
    return to_check(matcher(object));
  } else {
    return to_check(matcher(object.metadata.snapshot()));
  }
}

/// Combinations of matchers. The message of all_of() is that of the first matcher that fails; if all match, and in
/// any_of(), it consists of all messages.
template <class... M>
[[nodiscard]] auto all_of(M... matchers) {
  return [... matchers = std::move(matchers)](const auto& object) -> CheckResult {
    CheckResult all{.holds = true};
    const auto add = [&all](CheckResult one) {
      all.holds = one.holds;
      all.message = one.holds && !all.message.empty() ? all.message + "; " + one.message : std::move(one.message);
      return all.holds;
    };
    (void)(add(match(object, matchers)) && ...);
    return all;
  };
}
template <class... M>
[[nodiscard]] auto any_of(M... matchers) {
  return [... matchers = std::move(matchers)](const auto& object) -> CheckResult {
    CheckResult all{.holds = false};
    const auto add = [&all](const CheckResult& one) {
      all.holds = all.holds || one.holds;
      all.message += (all.message.empty() ? "" : "; ") + one.message;
    };
    (add(match(object, matchers)), ...);
    return all;
  };
}
template <class M>
[[nodiscard]] auto negated(M matcher) {
  return [matcher = std::move(matcher)](const auto& object) -> CheckResult {
    CheckResult one = match(object, matcher);
    return {.holds = !one.holds, .message = std::move(one.message)};
  };
}

namespace internal {
[[nodiscard]] PINTLE_EXPORT Matcher is_controlled_by(const GroupVersionKind& kind, const std::string& name,
                                                     const std::string& uid);
}

template <Described T>
Matcher is_controlled_by(const T& owner) {
  return internal::is_controlled_by(T::type, owner.metadata.name, owner.metadata.uid);
}

}  // namespace pintle::testkit
