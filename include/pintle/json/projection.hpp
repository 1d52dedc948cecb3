// SPDX-License-Identifier: Apache-2.0
// Projection: the parts of a document that a reader keeps.
#pragma once

#include <string>
#include <vector>

namespace pintle::json {

/// The parts of a document that are kept, by JSON pointer: "/metadata/labels", "/spec/containers/*/image". "*" matches
/// any element and any member, also a member that another path names. An index, such as that of "/spec/containers/0",
/// matches nothing. Everything below a kept path is kept. Above it, only the members that lead to it are kept.
struct Projection {
  std::vector<std::string> keep{};  ///< empty: keep everything
  std::vector<std::string> drop{};  ///< takes precedence over `keep`
};

}  // namespace pintle::json
