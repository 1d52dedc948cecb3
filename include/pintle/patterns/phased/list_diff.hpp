// ListDiff: what turns the objects that are there into those that should be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/json/value.hpp>
#include <pintle/object/object.hpp>
#include <pintle/patterns/phased/diff.hpp>

namespace pintle::phased {

// Records in an object which members were last expected of it, so that members that are no longer expected can be told
// from those that others have added. Its value is the expected object with 0 in place of each text, number, truth value
// and list without objects: members count, values do not. Older versions stored the whole object, which is also read.
inline constexpr std::string_view last_applied_annotation = "pintle.dev/last-applied";
// The phase that an object belongs to: phase_mark() of its name.
inline constexpr std::string_view phase_label = "pintle.dev/phase";

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
  std::vector<Object> unclaimed{};  // neither expected nor of the phase; they stay

  // Which of them there are, and which objects, one a line: "create v1 ConfigMap default/a".
  [[nodiscard]] K8sDiff summary() const;
};

// The value of phase_label for a phase of this name: the name itself if it is a valid label value, else as much of it
// as fits before a hash of the name. The same for the same name in every version.
[[nodiscard]] std::string phase_mark(std::string_view phase);

// Objects are the same when kind, namespace and name are. An object that is only expected is to be created, one that
// exists and is not expected is to be removed, and one that is both is to be updated if a three-way diff of what was
// last expected, what exists and what is expected finds a difference. An object that is being deleted stays as it is.
// Metadata that the server maintains is not compared.
// With a `mark` (phase_mark), an expected object whose phase_label is another one is updated to have this one, and only
// objects with this one are removed; others are unclaimed.
// Errors: invalid, for an expected object without kind or name, two that are the same, annotations of an expected
// object that are larger than servers accept, and a malformed pointer.
[[nodiscard]] Result<ListDiff> diff_lists(const std::vector<json::Value>& expected, const std::vector<Object>& current,
                                          const IgnoreRules& ignore = {}, const std::string& mark = {});

// An expected object with the annotation that the next diff starts from.
[[nodiscard]] json::Value with_last_applied(json::Value expected);
// An expected object with this phase_label; to be called after with_last_applied().
[[nodiscard]] json::Value with_phase(json::Value expected, const std::string& mark);

}  // namespace pintle::phased
