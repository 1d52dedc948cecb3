// SPDX-License-Identifier: Apache-2.0
#include "event_prints.hpp"

#include <utility>

namespace pintle::apiserver {
namespace {

constexpr std::size_t max_print_size = std::size_t{256} << 10U;

}  // namespace

std::shared_ptr<const std::string> EventPrints::find(std::uint64_t version, const Event& event) const {
  const MutexLock lock(mutex_);
  const Print& print = prints_[version % prints_.size()];
  return print.event == event ? print.text : nullptr;
}

void EventPrints::keep(std::uint64_t version, const Event& event, std::string_view text) {
  if (text.size() > max_print_size) return;
  Print fresh{.event = event, .text = std::make_shared<const std::string>(text)};
  const MutexLock lock(mutex_);
  std::swap(prints_[version % prints_.size()], fresh);
}

}  // namespace pintle::apiserver
