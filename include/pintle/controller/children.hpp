// ChildSet: everything an object wants to exist, applied in order, and pruned of what it no longer wants.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/controller/outcome.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

// Whether what the server holds is good enough for others to build on.
using ReadyCheck = std::function<bool(const Object&)>;

// A condition of the object's present generation is True: condition_is_true("Available").
[[nodiscard]] ReadyCheck condition_is_true(std::string type);

struct ChildOptions {
  std::vector<std::string> after{};  // what add() answered for those that must be ready before this one is applied
  ReadyCheck ready{};                // default: ready once it is applied
  bool adopt = false;                // as in ApplyOptions
};

// The children of one object, made anew in each pass from what the object says now, and given to Context::apply. A
// plain value.
class ChildSet {
 public:
  struct Child {
    std::string id{};
    json::Value intent{};
    ChildOptions options{};
  };

  // Answers what names the child in `after` and in the result: "apps/v1 Deployment default/web". A child without a
  // controller reference gets the object of the pass as its controller.
  std::string add(json::Value intent, ChildOptions options = {});
  template <Described T>
  std::string add(const T& intent, ChildOptions options = {}) {
    return add(encode_for_apply(intent), std::move(options));
  }

  [[nodiscard]] const std::vector<Child>& children() const noexcept { return children_; }
  // Each after those it waits for, otherwise as they were added. Error: invalid, naming it: a child without a name, two
  // of one name, one that waits for what is not there, a cycle.
  [[nodiscard]] Result<std::vector<const Child*>> in_order() const;

 private:
  [[nodiscard]] Result<void> check() const;

  std::vector<Child> children_;
};

// What came of applying a ChildSet. A plain value; as the Outcome of a pass it is: failed when anything failed, settled
// when all are ready or a watch will tell of those that are not, else look_again.
struct AppliedChildren {
  std::map<std::string, Object> objects{};  // what the server holds of each child that was applied, by its id
  std::vector<std::string> waiting{};       // applied, but not ready
  std::vector<std::string> held{};          // not applied: they wait for others
  std::vector<std::string> drifted{};       // of watched kinds: somebody changed or removed it, and it was put right
  std::vector<std::string> pruned{};        // removed: "v1 ConfigMap default/old"
  std::optional<Error> error{};             // the first one
  bool watched = true;                      // a change of each that is waited for brings a new pass

  [[nodiscard]] bool all_ready() const noexcept { return !error && waiting.empty() && held.empty(); }
  [[nodiscard]] Outcome outcome() const;
  operator Outcome() const { return outcome(); }  // NOLINT(google-explicit-constructor)
};

}  // namespace pintle
