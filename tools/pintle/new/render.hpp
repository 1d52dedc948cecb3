// SPDX-License-Identifier: Apache-2.0
// Fills in templates: placeholders and conditional lines.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include <pintle/base/result.hpp>

namespace pintle::tools {

struct RenderInput {
  std::map<std::string, std::string, std::less<>> values{};  // by the name of the placeholder
  std::set<std::string, std::less<>> conditions{};           // those that hold
};

// Replaces each placeholder @name@ by its value. The lines from "@if A B@" to "@end@" remain if A or B holds, those
// from
// "@if !A@" if A does not hold. These two lines themselves are removed. Blocks are not nested. Error: invalid, for a
// placeholder without a value and for an incomplete block; the message contains the number of the line.
[[nodiscard]] Result<std::string> render(std::string_view text, const RenderInput& input);

}  // namespace pintle::tools
