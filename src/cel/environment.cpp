// SPDX-License-Identifier: Apache-2.0
#include <pintle/cel/environment.hpp>

#include <memory>
#include <utility>

#include <pintle/base/result.hpp>

#include "check/declarations.hpp"
#include "kubernetes/libraries.hpp"
#include "library/libraries.hpp"
#include "syntax/macro.hpp"

namespace pintle::cel {
namespace {

Result<void> add_options(Declarations& declarations, EnvironmentOptions& options) {
  for (auto& library : options.libraries) {
    if (auto added = declarations.add(std::move(library)); !added) return added;
  }
  for (auto& variable : options.variables) {
    if (auto added = declarations.add(std::move(variable)); !added) return added;
  }
  declarations.set_limits(options.limits);
  return {};
}

Result<Declarations> standard_declarations() {
  Declarations declarations;
  for (auto make :
       {operator_library, conversion_library, string_library, time_library, optional_library, string_extension_library,
        list_library, regex_library, url_library, network_library, quantity_library, semver_library, format_library}) {
    if (auto added = declarations.add(make()); !added) return fail(std::move(added.error()));
  }
  declarations.add_macros(standard_macros());
  return declarations;
}

}  // namespace

Result<Environment> Environment::create(EnvironmentOptions options) {
  static const Result<Declarations> standard = standard_declarations();
  if (!standard) return fail(standard.error());
  auto declarations = std::make_shared<Declarations>(*standard);
  if (auto added = add_options(*declarations, options); !added) return fail(std::move(added.error()));
  return Environment(std::move(declarations));
}

Result<Environment> Environment::extend(EnvironmentOptions options) const {
  auto declarations = std::make_shared<Declarations>(*declarations_);
  if (auto added = add_options(*declarations, options); !added) return fail(std::move(added.error()));
  return Environment(std::move(declarations));
}

}  // namespace pintle::cel
