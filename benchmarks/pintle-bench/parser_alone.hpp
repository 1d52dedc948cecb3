// The parser of Boost.JSON with nobody listening: a yardstick for the time to read documents.
#pragma once

#include <string_view>

namespace pintle::benchmarks {

// Whether the text is JSON.
[[nodiscard]] bool parse_alone(std::string_view text);

}  // namespace pintle::benchmarks
