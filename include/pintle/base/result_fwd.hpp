// SPDX-License-Identifier: Apache-2.0
// Forward declaration of Result<T>, for headers that only use its name. The definition is in result.hpp.
#pragma once

namespace pintle {

struct Error;

template <class T>
class Result;

}  // namespace pintle
