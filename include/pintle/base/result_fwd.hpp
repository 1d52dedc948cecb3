// Result<T> declared, for headers that name it in declarations; result.hpp has it whole.
#pragma once

namespace pintle {

struct Error;

template <class T>
class Result;

}  // namespace pintle
