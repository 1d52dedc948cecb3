// What surrounds a process.
#pragma once

#include <string>

namespace pintle {

// Empty when it is not set, as most tools take it.
[[nodiscard]] std::string environment_variable(const std::string& name);

}  // namespace pintle
