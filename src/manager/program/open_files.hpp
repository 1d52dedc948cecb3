// SPDX-License-Identifier: Apache-2.0
// The limit of open files of this process. Each watch is a connection, so the usual soft limit of 1,024 is too low for
// an operator of many namespaces.
#pragma once

#include <cstdint>

namespace pintle {

// Raises the soft limit to the hard limit, as Go programs do. Returns the soft limit before.
[[nodiscard]] std::uint64_t raise_open_file_limit();

}  // namespace pintle
