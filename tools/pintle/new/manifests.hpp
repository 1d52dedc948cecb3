// SPDX-License-Identifier: Apache-2.0
// Brings manifests into the form in which an operator prints them.
#pragma once

#include <string>
#include <string_view>

#include <pintle/base/result.hpp>

namespace pintle::tools {

// Prints each document as --print-crds and --print-rbac do, with the rules of a role in their order. A comment at the
// start of a document is kept. Error: invalid, if the text is not YAML.
[[nodiscard]] Result<std::string> as_printed(std::string_view yaml);

}  // namespace pintle::tools
