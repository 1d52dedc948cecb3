// What user code threw, for people.
#pragma once

#include <string>

namespace pintle {

// "std::runtime_error: no luck". To be called in a catch alone.
[[nodiscard]] std::string describe_exception();

}  // namespace pintle
