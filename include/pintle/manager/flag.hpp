// SPDX-License-Identifier: Apache-2.0
// Flag: a setting that an operator defines in addition to the settings of every operator.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include <pintle/base/time.hpp>

namespace pintle {

/// A flag named "greeting" is set like any other flag: by --greeting on the command line, by PINTLE_GREETING in the
/// environment, or by `greeting` in the file of --config. --help shows the initial value as the default. `value` is
/// written once, by the constructor of the manager, so controllers that are declared after it can use the value. Do not
/// use a flag for a secret, because other users can read command lines and environments; use a flag for the name of a
/// file instead.
///
///   std::int64_t workers = 1;
///   pintle::Manager manager{{.args = {argc, argv}, .flags = {{"workers", "Number of workers", &workers}}}};
///   manager.add(pintle::Controller<Greeting>{.reconcile = greet, .workers = static_cast<int>(workers)});
struct Flag {
  std::string name{};  ///< lower-case letters, digits and hyphens
  std::string help{};  ///< one sentence
  /// A list is given as texts separated by commas; on the command line, the flag may also be repeated.
  std::variant<std::string*, bool*, std::int64_t*, double*, Duration*, std::vector<std::string>*> value;
  bool required = false;  ///< an error if neither the command line nor the environment nor the file has the flag
};

}  // namespace pintle
