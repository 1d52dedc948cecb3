// SPDX-License-Identifier: Apache-2.0
// The templates of `pintle new`, as a part of the program.
#pragma once

#include <span>

#include "base/embedded_file.hpp"

namespace pintle::tools {

// Returns the files below templates/, sorted by path: "common/src/main.cpp.in".
[[nodiscard]] std::span<const EmbeddedFile> project_templates();

}  // namespace pintle::tools
