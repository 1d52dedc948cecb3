// SPDX-License-Identifier: Apache-2.0
// The examples, unchanged, as programs of simulated instances.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include <pintle/json/value.hpp>
#include <pintle/manager/manager.hpp>

namespace pintle {

struct Example {
  friend std::ostream& operator<<(std::ostream& out, const Example& example) { return out << example.name; }

  std::string name;
  int (*main)(int, char**);
  GroupVersionKind kind;
  json::Value spec;     // of the object that a user creates
  json::Value next;     // a merge patch for this object
  std::string makes{};  // a resource that the operator creates; empty: none
  json::Value labels = json::object{};

  [[nodiscard]] json::Value object(const std::string& name_of_object) const;
  // Calls main() without flags.
  [[nodiscard]] int run() const;
};
[[nodiscard]] std::vector<Example> examples();

}  // namespace pintle
