// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/environment.hpp>

#include <array>
#include <cstdlib>

#include <unistd.h>

namespace pintle {

std::string environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? "" : value;
}

std::string host_name() {
  std::array<char, 256> name{};
  // gethostname() need not terminate a name that it truncates.
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace pintle
