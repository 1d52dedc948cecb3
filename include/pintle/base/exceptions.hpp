// SPDX-License-Identifier: Apache-2.0
// Describes exceptions that user code has thrown.
#pragma once

#include <string>

#include <pintle/base/annotations.hpp>

namespace pintle {

/// Returns the type and the message of the current exception: "std::runtime_error: no luck". For an exception that is
/// not a std::exception, returns a fixed text. Call it only in a catch block.
[[nodiscard]] PINTLE_EXPORT std::string describe_exception();

}  // namespace pintle
