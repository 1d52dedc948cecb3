// The parser of Boost.JSON with nobody listening: what of the time to read documents is not ours.
#pragma once

#include <string_view>

namespace pintle::benchmarks {

// Whether the text is JSON.
[[nodiscard]] bool parse_alone(std::string_view text);

}  // namespace pintle::benchmarks
