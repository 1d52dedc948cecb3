// SPDX-License-Identifier: Apache-2.0
// EmbeddedFile: a file of the sources that is a part of the program. cmake/Embed.cmake makes the tables.
#pragma once

#include <string_view>

namespace pintle {

struct EmbeddedFile {
  std::string_view path{};  // below the folder of the table
  std::string_view text{};
};

}  // namespace pintle
