// SPDX-License-Identifier: Apache-2.0
// Prints structs as C++, formatted as .clang-format requires.
#pragma once

#include <string>

#include "gen_model.hpp"

namespace pintle::tools {

struct PrintOptions {
  std::string root{};     // enclosing namespace, such as "pintle::api"; "": none
  bool is_split = false;  // fields() and enum_names() are declared in the header and defined in a source
};

[[nodiscard]] std::string print_header(const HeaderName& name, const Header& header, const PrintOptions& options);
// Returns the source of a split header.
[[nodiscard]] std::string print_source(const HeaderName& name, const Header& header, const PrintOptions& options);

}  // namespace pintle::tools
