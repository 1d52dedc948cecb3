// SPDX-License-Identifier: Apache-2.0
// The examples, unchanged, as operators of simulated instances.
#pragma once

#include <functional>
#include <memory>
#include <ostream>
#include <stop_token>
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
};
[[nodiscard]] std::vector<Example> examples();

// Runs the main() of an example in the place of another program: with the manager of a simulated instance. A main()
// does not return before this object is destroyed, because controllers may refer to its local variables.
class ExampleRunner {
 public:
  ExampleRunner(const Example& example, Executor& executor) : example_(example), executor_(executor) {}
  ~ExampleRunner();
  ExampleRunner(const ExampleRunner&) = delete;
  ExampleRunner& operator=(const ExampleRunner&) = delete;

  // The options that main() gives to its manager.
  [[nodiscard]] ManagerOptions options() const;
  // Lets main() declare its controllers.
  void add_controllers(Manager& manager);

 private:
  const Example& example_;
  Executor& executor_;
  std::stop_source over_;
  std::vector<Thread> mains_;
};

}  // namespace pintle
