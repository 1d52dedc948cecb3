// SPDX-License-Identifier: Apache-2.0
// Compares header names without regard to case.
#pragma once

#include <string_view>

namespace pintle::http {

[[nodiscard]] bool same_name(std::string_view a, std::string_view b) noexcept;

}  // namespace pintle::http
