// SPDX-License-Identifier: Apache-2.0
#include <pintle/controller/predicate.hpp>

#include <algorithm>

namespace pintle {

namespace {

// Returns false for a deletion, for a new object, and for a deletion and a new object of the same name.
bool is_update(const Change& change) {
  return change.old && change.current && change.old.uid() == change.current.uid();
}

// Passes every change except updates for which `differ` returns false.
Predicate update_where(std::function<bool(const Object& before, const Object& after)> differ) {
  return Predicate([differ = std::move(differ)](const Change& change) {
    return !is_update(change) || differ(change.old, change.current);
  });
}

// Like ==, but two missing values are equal.
bool same(json::View a, json::View b) { return a.exists() ? a == b : !b.exists(); }

}  // namespace

Predicate operator&&(Predicate a, Predicate b) {
  return Predicate([a = std::move(a), b = std::move(b)](const Change& change) { return a(change) && b(change); });
}

Predicate operator||(Predicate a, Predicate b) {
  return Predicate([a = std::move(a), b = std::move(b)](const Change& change) { return a(change) || b(change); });
}

Predicate operator!(Predicate a) {
  return Predicate([a = std::move(a)](const Change& change) { return !a(change); });
}

Predicate generation_changed() {
  return update_where([](const Object& before, const Object& after) {
    return after.generation() == 0 || before.generation() != after.generation() ||
           before.is_deleting() != after.is_deleting();
  });
}

Predicate labels_changed() {
  return update_where([](const Object& before, const Object& after) { return !same(before.labels(), after.labels()); });
}

Predicate annotations_changed() {
  return update_where(
      [](const Object& before, const Object& after) { return !same(before.annotations(), after.annotations()); });
}

Predicate resource_version_changed() {
  return update_where(
      [](const Object& before, const Object& after) { return before.resource_version() != after.resource_version(); });
}

Predicate fields_changed(std::vector<std::string> pointers) {
  return update_where([pointers = std::move(pointers)](const Object& before, const Object& after) {
    return std::any_of(pointers.begin(), pointers.end(),
                       [&](const std::string& pointer) { return !same(before[pointer], after[pointer]); });
  });
}

Predicate object_matches(std::function<bool(const Object&)> test) {
  return Predicate([test = std::move(test)](const Change& change) {
    return test(change.object()) || (change.old && !is_update(change) && test(change.old));
  });
}

Predicate is_added() {
  return Predicate([](const Change& change) { return change.current && !is_update(change); });
}

Predicate is_updated() {
  return Predicate([](const Change& change) { return is_update(change); });
}

Predicate is_deleted() {
  return Predicate([](const Change& change) { return change.old && !is_update(change); });
}

}  // namespace pintle
