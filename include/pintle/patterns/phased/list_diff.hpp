// ListDiff: what turns the objects that are there into those that should be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/json/value.hpp>
#include <pintle/object/object.hpp>
#include <pintle/patterns/phased/diff.hpp>

namespace pintle::phased {

// Where an object that was made this way keeps what was last wanted of it, so that what is no longer wanted can be told
// from what others have added.
inline constexpr std::string_view last_applied_annotation = "pintle.dev/last-applied";

struct IgnoreRules {
  std::vector<std::string> pointers{};  // "/spec/replicas": what they lead to is neither compared nor changed
  bool status = true;                   // the status
};

// What is there, and the merge patch that makes it as wanted.
struct ObjectUpdate {
  Object current{};
  json::Value patch{};
};

// A plain value.
struct ListDiff {
  std::vector<json::Value> create{};
  std::vector<ObjectUpdate> update{};
  std::vector<Object> remove{};

  // Which of them there are, and which objects, one a line: "create v1 ConfigMap default/a".
  [[nodiscard]] K8sDiff summary() const;
};

// Objects are the same when kind, namespace and name are. One that is expected alone is to be created, one that is
// there alone to be removed, and one that is both to be updated if a three-way diff of what was last wanted, what is
// there and what is expected says so; one that is being deleted is left alone. What the server keeps in the metadata is
// not compared. Errors: invalid, for an expected object without kind or name, two that are the same, and a malformed
// pointer.
[[nodiscard]] Result<ListDiff> diff_lists(const std::vector<json::Value>& expected, const std::vector<Object>& current,
                                          const IgnoreRules& ignore = {});

// An expected object with the annotation that the next diff starts from.
[[nodiscard]] json::Value with_last_applied(json::Value expected);

}  // namespace pintle::phased
