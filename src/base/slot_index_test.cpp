// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/slot_index.hpp>

#include <map>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/base/random.hpp>

namespace pintle {
namespace {

// The hashes form a few groups of adjacent values, also at both ends of the range, so that many slots have the same
// place.
TEST(SlotIndex, AgreesWithAMapOverRandomOperations) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Random random(seed);
    internal::SlotIndex index;
    std::map<std::uint32_t, std::uint32_t> hashes;  // by slot
    for (int step = 0; step < 100'000; ++step) {
      const auto slot = static_cast<std::uint32_t>(random.below(step % 20'000 < 10'000 ? 300 : 20));
      const auto group = static_cast<std::uint32_t>(random.below(3)) * 0x7fffffffU;
      if (const auto known = hashes.find(slot); known != hashes.end()) {
        index.erase(known->second, slot);
        hashes.erase(known);
      } else {
        hashes[slot] = group + static_cast<std::uint32_t>(random.below(4));
        index.insert(hashes[slot], slot);
      }
      ASSERT_EQ(index.size(), hashes.size());
      const auto requested = static_cast<std::uint32_t>(random.below(300));
      const auto known = hashes.find(requested);
      const auto is_requested = [&](std::uint32_t one) { return one == requested; };
      ASSERT_EQ(index.find(known == hashes.end() ? group : known->second, is_requested),
                known == hashes.end() ? internal::SlotIndex::no_slot : requested)
          << "seed " << seed << " step " << step;
    }
  }
}

}  // namespace
}  // namespace pintle
