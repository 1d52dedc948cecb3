// SPDX-License-Identifier: Apache-2.0
// Parses YAML text into the events of libfyaml.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <libfyaml.h>

#include <pintle/base/result.hpp>

namespace pintle::json {

// Calls `take` for each event of a stream until it returns an error. Errors: the error of `take`; invalid, with line
// and column, if the text is not YAML or not UTF-8.
[[nodiscard]] Result<void> read_yaml_events(std::string_view text, const std::function<Result<void>(fy_event&)>& take);

[[nodiscard]] Error yaml_error_at(const fy_mark* mark, std::string what);

// The text of a token, such as the name of an anchor or a tag; "" if the token is null.
[[nodiscard]] std::string text_of(fy_token* token);

[[nodiscard]] bool is_plain_scalar(const fy_event& event);

// Returns the text of a scalar of `source`. `column` is the column of the list or mapping that contains it; nothing at
// the top level.
[[nodiscard]] Result<std::string> scalar_text(std::string_view source, fy_event& event,
                                              std::optional<std::size_t> column);

}  // namespace pintle::json
