// Predicate: which changes are worth a pass.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <pintle/cache/dispatcher.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

// A test of a change; combined with &&, || and !. One that was given nothing lets everything through. Runs on the
// dispatcher's thread: it must not wait, and should only look at the change. A controller takes one that throws as one
// that said yes. Thread-safety: as that of its test.
class Predicate {
 public:
  using Test = std::function<bool(const Change&)>;

  Predicate() = default;
  Predicate(Test test) : test_(std::move(test)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool operator()(const Change& change) const { return !test_ || test_(change); }
  // False for one that lets everything through.
  [[nodiscard]] bool is_set() const noexcept { return static_cast<bool>(test_); }

  friend Predicate operator&&(Predicate a, Predicate b);
  friend Predicate operator||(Predicate a, Predicate b);
  friend Predicate operator!(Predicate a);

 private:
  Test test_;
};

// What is added or deleted always passes these; of an update it depends on what changed.

// metadata.generation, or a deletion that begins. Passes every update of an object without a generation, which cannot
// tell.
[[nodiscard]] Predicate generation_changed();
[[nodiscard]] Predicate labels_changed();
[[nodiscard]] Predicate annotations_changed();
// Anything at all: keeps resyncs out.
[[nodiscard]] Predicate resource_version_changed();
// What one of these JSON pointers leads to: fields_changed({"/spec/replicas", "/data"}).
[[nodiscard]] Predicate fields_changed(std::vector<std::string> pointers);

// By the object itself, as it is now, or was before it went.
[[nodiscard]] Predicate object_matches(std::function<bool(const Object&)> test);

// One kind of change alone.
[[nodiscard]] Predicate is_added();
[[nodiscard]] Predicate is_updated();
[[nodiscard]] Predicate is_deleted();

}  // namespace pintle
