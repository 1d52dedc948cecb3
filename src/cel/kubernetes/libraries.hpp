// SPDX-License-Identifier: Apache-2.0
// The libraries that Kubernetes adds to the language. Every environment contains them.
#pragma once

#include <pintle/cel/function.hpp>

namespace pintle::cel {

[[nodiscard]] Library list_library();      // lists and sets
[[nodiscard]] Library regex_library();     // find() and findAll()
[[nodiscard]] Library url_library();       // url(), isURL()
[[nodiscard]] Library network_library();   // ip(), cidr(), …
[[nodiscard]] Library quantity_library();  // quantity(), isQuantity()
[[nodiscard]] Library semver_library();    // semver(), isSemver()
[[nodiscard]] Library format_library();    // format.named(), format.uuid(), …

}  // namespace pintle::cel
