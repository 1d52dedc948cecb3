// Equality of documents as View and the patches mean it.
#pragma once

#include <pintle/json/value.hpp>

namespace pintle::json {

// Numbers by their value (1 equals 1.0), objects whatever the order of their members.
[[nodiscard]] bool equal(const Value& a, const Value& b) noexcept;

}  // namespace pintle::json
