// SPDX-License-Identifier: Apache-2.0
// Reads the text of selectors in queries. The errors are those of kube-apiserver.
#pragma once

#include <string>
#include <string_view>

#include <pintle/object/selector.hpp>

#include <tl/expected.hpp>

namespace pintle::apiserver {

[[nodiscard]] tl::expected<LabelSelector, std::string> parse_label_selector(std::string_view text);

// The requirements are in the order of their texts, because the server reports the first wrong one of these.
[[nodiscard]] tl::expected<FieldSelector, std::string> parse_field_selector(std::string_view text);

}  // namespace pintle::apiserver
