// The events of libfyaml, for those who make something of a YAML text.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <libfyaml.h>

#include <pintle/base/result.hpp>

namespace pintle::json {

// Hands each event of a stream to `take`, up to its first error. Errors: its own; invalid, with line and column, for
// what is no YAML or no UTF-8 text.
[[nodiscard]] Result<void> read_yaml_events(std::string_view text, const std::function<Result<void>(fy_event&)>& take);

[[nodiscard]] Error yaml_error_at(const fy_mark* mark, std::string what);

// What a token says: the name of an anchor, a tag.
[[nodiscard]] std::string text_of(fy_token* token);

[[nodiscard]] bool is_plain_scalar(const fy_event& event);

// The text of a scalar of `source`. `column` is where the list or mapping begins that it belongs to; none at the top.
[[nodiscard]] Result<std::string> scalar_text(std::string_view source, fy_event& event,
                                              std::optional<std::size_t> column);

}  // namespace pintle::json
