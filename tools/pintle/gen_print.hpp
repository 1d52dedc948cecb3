// Structs as C++, as .clang-format would have it.
#pragma once

#include <string>

#include "gen_model.hpp"

namespace pintle::tools {

struct PrintOptions {
  std::string root{};     // "pintle::api"; "" for none
  bool is_split = false;  // fields() and enum_names are declared here and defined in a source
};

[[nodiscard]] std::string print_header(const HeaderName& name, const Header& header, const PrintOptions& options);
// The source of a header that is split.
[[nodiscard]] std::string print_source(const HeaderName& name, const Header& header, const PrintOptions& options);

}  // namespace pintle::tools
