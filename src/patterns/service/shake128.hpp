// SPDX-License-Identifier: Apache-2.0
// SHAKE128: a hash of any requested length.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <pintle/base/result.hpp>

namespace pintle::service {

// Error: unavailable, if OpenSSL does not provide SHAKE128.
[[nodiscard]] Result<std::string> shake128(std::string_view text, std::size_t bytes);

}  // namespace pintle::service
