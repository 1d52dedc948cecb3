// SPDX-License-Identifier: Apache-2.0
// The files that the debug pages serve, as a part of the library.
#pragma once

#include <span>

#include "base/embedded_file.hpp"

namespace pintle {

// Returns the files in the folder console/.
[[nodiscard]] std::span<const EmbeddedFile> console_files();
// Returns debug_v1.json.
[[nodiscard]] std::span<const EmbeddedFile> debug_files();

}  // namespace pintle
