// SPDX-License-Identifier: Apache-2.0
// GuardState: the state that the ProviderControllers of one reconcile share, in a slot of its Context.
#pragma once

#include <set>
#include <string>

namespace pintle::guard {

struct GuardState {
  std::set<std::string> in_flight{};  // types of the conditions whose tasks run
  std::string task_failure{};         // the message of the error that the last task of the step returned
  bool is_outdated = false;           // the object has changed since it was passed to the running step
};

}  // namespace pintle::guard
