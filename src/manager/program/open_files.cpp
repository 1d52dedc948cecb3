// SPDX-License-Identifier: Apache-2.0
#include "open_files.hpp"

#include <utility>

#include <sys/resource.h>

namespace pintle {

std::uint64_t raise_open_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return RLIM_INFINITY;
  const rlim_t before = std::exchange(limit.rlim_cur, limit.rlim_max);
  ::setrlimit(RLIMIT_NOFILE, &limit);
  return before;
}

}  // namespace pintle
