// SHAKE128: a hash of as many bytes as are asked for.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <pintle/base/result.hpp>

namespace pintle::service {

// Error: unavailable, when OpenSSL does not give it.
[[nodiscard]] Result<std::string> shake128(std::string_view text, std::size_t bytes);

}  // namespace pintle::service
