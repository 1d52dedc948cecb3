// The reference tokens of a JSON pointer, one by one.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace pintle::json {

// The next token as it stands. `rest` begins with "/" while there is one more.
bool next_token(std::string_view& rest, std::string_view& token);

// The position a token names in a list; none for "-", leading zeros and other text.
[[nodiscard]] std::optional<std::size_t> index_of(std::string_view token);

}  // namespace pintle::json
