// What the ProviderControllers of one pass share; a slot of its Context.
#pragma once

#include <set>
#include <string>

namespace pintle::guard {

struct PassState {
  std::set<std::string> in_flight{};  // types of the conditions whose tasks run
  std::string task_failure{};         // the message of the error that the last task of the step returned
  bool is_outdated = false;           // the object has changed since the running step was given it
};

}  // namespace pintle::guard
