// SPDX-License-Identifier: Apache-2.0
// The version of the sources of this program in Git. git_tag.cmake writes the source.
#pragma once

#include <string_view>

namespace pintle::tools {

// Returns the tag of a release, "v0.1.0", or the commit of other sources in a clone.
[[nodiscard]] std::string_view git_tag();

}  // namespace pintle::tools
