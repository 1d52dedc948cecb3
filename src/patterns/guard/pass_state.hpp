// What the ProviderControllers of one pass share; a slot of its Context.
#pragma once

#include <set>
#include <string>

namespace pintle::guard {

struct PassState {
  std::set<std::string> in_flight{};  // types of the conditions whose tasks run
  bool is_outdated = false;           // the object has changed since the running step was given it
  bool is_cluster_failing = false;    // a request of the running step was not answered
};

}  // namespace pintle::guard
