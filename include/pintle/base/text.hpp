// What Kubernetes does to names: ASCII alone, whatever the locale is.
#pragma once

#include <string>
#include <string_view>

namespace pintle {

// A to Z made a to z; every other byte stays.
[[nodiscard]] std::string lower(std::string_view text);

// The text between double quotes, as it is: for messages.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace pintle
