// SPDX-License-Identifier: Apache-2.0
#include "uid.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

namespace pintle::apiserver {

std::string make_uid(Executor& executor) {
  const std::uint64_t high = executor.random();
  const std::uint64_t low = executor.random();
  return fmt::format(FMT_COMPILE("{:08x}-{:04x}-4{:03x}-{:x}{:03x}-{:012x}"), high >> 32U, (high >> 16U) & 0xffffU,
                     high & 0xfffU, 8U | (low >> 62U), (low >> 48U) & 0xfffU, low & 0xffff'ffff'ffffU);
}

}  // namespace pintle::apiserver
