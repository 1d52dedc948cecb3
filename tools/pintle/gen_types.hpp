// pintle gen types: described structs from OpenAPI v3 documents and CRDs.
#pragma once

#include <string>
#include <vector>

namespace pintle::tools {

struct GenTypesOptions {
  std::vector<std::string> files{};
  std::string root{};     // the namespace around <group>::<version>; "pintle::api" for the types of Kubernetes itself
  std::string out{};      // folder of headers, <group>/<version>.hpp; empty: standard output
  std::string sources{};  // folder of sources, <group>_<version>.cpp; empty: everything is in the headers
  bool force = false;     // also replace files that were changed by hand, and such with types that would be lost
};

// Writes nothing unless it can write all. Prints what is wrong, and what could not be carried over, on standard error.
// The exit code: 0, 1 where the machine refuses, 2 for wrong options and for input that C++ cannot say.
[[nodiscard]] int run_gen_types(const GenTypesOptions& options);

}  // namespace pintle::tools
