// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/environment.hpp>

#include <cstdlib>

namespace pintle {

std::string environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? "" : value;
}

}  // namespace pintle
