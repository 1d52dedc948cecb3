// SPDX-License-Identifier: Apache-2.0
// Predicate: decides which changes cause a reconcile.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/cache/change.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

/// A test of a change, which can be combined with &&, || and !. An empty predicate passes every change. A predicate
/// runs on the thread of the dispatcher: it must not block and should depend on the change only. If it throws, the
/// controller treats the change as passed. As thread-safe as its test.
class Predicate {
 public:
  using Test = std::function<bool(const Change&)>;

  Predicate() = default;
  Predicate(Test test) : test_(std::move(test)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool operator()(const Change& change) const { return !test_ || test_(change); }
  /// Returns false if the predicate is empty.
  [[nodiscard]] bool is_set() const noexcept { return static_cast<bool>(test_); }

  friend PINTLE_EXPORT Predicate operator&&(Predicate a, Predicate b);
  friend PINTLE_EXPORT Predicate operator||(Predicate a, Predicate b);
  friend PINTLE_EXPORT Predicate operator!(Predicate a);

 private:
  Test test_;
};

// The predicates from generation_changed() to fields_changed() pass each change that adds or deletes an object, or does
// both (Change). They differ in the updates that they pass.

/// Passes an update that changes metadata.generation or begins the deletion. If an object has no generation, each of
/// its updates passes.
[[nodiscard]] PINTLE_EXPORT Predicate generation_changed();
[[nodiscard]] PINTLE_EXPORT Predicate labels_changed();
[[nodiscard]] PINTLE_EXPORT Predicate annotations_changed();
/// Passes an update that changes the resourceVersion. Resyncs do not pass.
[[nodiscard]] PINTLE_EXPORT Predicate resource_version_changed();
/// Passes an update that changes the value at one of these JSON pointers: fields_changed({"/spec/replicas", "/data"}).
[[nodiscard]] PINTLE_EXPORT Predicate fields_changed(std::vector<std::string> pointers);

/// Passes a change if `test` returns true for the current object, or for the last state of a deleted object. If another
/// object has taken its name, one of the two is sufficient.
[[nodiscard]] PINTLE_EXPORT Predicate object_matches(std::function<bool(const Object&)> test);

/// The following predicates pass one kind of change only. A change with a deletion and a new object of the same name is
/// a deletion and an addition, but no update.
[[nodiscard]] PINTLE_EXPORT Predicate is_added();
[[nodiscard]] PINTLE_EXPORT Predicate is_updated();
[[nodiscard]] PINTLE_EXPORT Predicate is_deleted();

}  // namespace pintle
