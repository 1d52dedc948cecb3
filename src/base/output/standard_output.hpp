// SPDX-License-Identifier: Apache-2.0
// The end of a program that prints its result.
#pragma once

#include <pintle/base/result.hpp>

namespace pintle {

// Writes the rest of the buffer of standard output. Returns an error if any text could not be written, for example
// because the disk is full.
[[nodiscard]] Result<void> flush_standard_output();

}  // namespace pintle
