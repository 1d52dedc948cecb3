// SPDX-License-Identifier: Apache-2.0
// pintle gen types: described structs from OpenAPI v3 documents and CRDs.
#pragma once

#include <string>
#include <vector>

namespace pintle::tools {

struct GenTypesOptions {
  std::vector<std::string> files{};
  std::string root{};     // namespace that encloses <group>::<version>; "pintle::api" for the built-in types
  std::string out{};      // folder for the headers <group>/<version>.hpp; empty: standard output
  std::string sources{};  // folder for the sources <group>_<version>.cpp; empty: everything is in the headers
  bool force = false;     // also replace files that were changed by hand, or whose types would be lost
};

// Writes all files or, after an error in the input, none. Prints errors, and rules that are not carried over, to
// standard error. Returns the exit code: 0; 1 for an error of the system; 2 for invalid options and for input that
// cannot be expressed in C++.
[[nodiscard]] int run_gen_types(const GenTypesOptions& options);

}  // namespace pintle::tools
