// SPDX-License-Identifier: Apache-2.0
#include "standard_output.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace pintle {

Result<void> flush_standard_output() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return {};
  std::string message = "cannot write to standard output";
  if (errno != 0) message.append(": ").append(std::strerror(errno));
  return fail(ErrorCode::unavailable, std::move(message));
}

}  // namespace pintle
