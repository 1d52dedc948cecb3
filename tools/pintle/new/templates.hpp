// SPDX-License-Identifier: Apache-2.0
// The templates of `pintle new`, as a part of the program.
#pragma once

#include <span>
#include <string_view>

namespace pintle::tools {

struct TemplateFile {
  std::string_view path{};  // below templates/, "common/src/main.cpp.in"
  std::string_view text{};
};

// Returns the files below templates/, sorted by path.
[[nodiscard]] std::span<const TemplateFile> project_templates();

}  // namespace pintle::tools
