// SPDX-License-Identifier: Apache-2.0
#include <pintle/queue/ranked_slots.hpp>

#include <set>
#include <string>

#include <gtest/gtest.h>

#include <pintle/base/random.hpp>

namespace pintle {
namespace {

// Ranks in one order, in a few orders, in more orders than there are runs, and in no order.
TEST(RankedSlots, AgreesWithASetOverRandomOperations) {
  for (const int orders : {1, 3, 100, 100'000}) {
    Random random(static_cast<std::uint64_t>(orders));
    internal::RankedSlots slots;
    std::set<internal::RankedSlot> expected;
    for (std::uint64_t step = 1; step <= 40'000; ++step) {
      const bool fills = step % 8'000 < 5'000;
      if (random.below(10) < (fills ? 7U : 3U)) {
        const auto order = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(orders)));
        const internal::RankedSlot one{static_cast<std::int64_t>(step / 10) - order * 1000, step,
                                       static_cast<std::uint32_t>(step)};
        slots.push(one);
        expected.insert(one);
      } else if (!expected.empty()) {
        slots.pop();
        expected.erase(expected.begin());
      }
      if (step % 3'000 == 0) {
        slots.sweep([](const internal::RankedSlot& one) { return one.slot % 3 != 0; });
        std::erase_if(expected, [](const internal::RankedSlot& one) { return one.slot % 3 == 0; });
      }
      ASSERT_EQ(slots.size(), expected.size());
      ASSERT_EQ(slots.first() == nullptr ? 0 : slots.first()->stamp, expected.empty() ? 0 : expected.begin()->stamp)
          << orders << " orders, step " << step;
    }
  }
}

}  // namespace
}  // namespace pintle
