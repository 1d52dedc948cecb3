// SPDX-License-Identifier: Apache-2.0
#include <pintle/sim/exploration.hpp>

#include <algorithm>

namespace pintle {
namespace {

using Choices = std::vector<std::uint32_t>;

class Explorer {
 public:
  Explorer(const ExplorationBound& bound, const std::function<std::optional<Choices>(const Choices&)>& run)
      : bound_(bound), run_(run) {}

  std::uint64_t explore() {
    (void)visit({}, 0);
    return schedules_;
  }

 private:
  // Runs a schedule and then those that deviate from it in later decisions. Returns false at the end of the
  // exploration.
  bool visit(const Choices& choices, std::size_t deviations) {
    // Each part needs the alternatives of the default schedule, but only the first one counts it.
    const auto alternatives = run_(choices);
    if (!choices.empty() || bound_.part == 0) ++schedules_;
    if (!alternatives) return false;
    if (deviations == bound_.deviations) return true;
    const std::size_t end = std::min(alternatives->size(), bound_.decisions);
    for (std::size_t decision = choices.size(); decision < end; ++decision) {
      for (std::uint32_t other = 1; other < (*alternatives)[decision]; ++other) {
        if (choices.empty() && next_++ % bound_.parts != bound_.part) continue;
        Choices longer = choices;
        longer.resize(decision, 0);
        longer.push_back(other);
        if (!visit(longer, deviations + 1)) return false;
      }
    }
    return true;
  }

  const ExplorationBound& bound_;
  const std::function<std::optional<Choices>(const Choices&)>& run_;
  std::uint64_t schedules_ = 0;
  std::size_t next_ = 0;  // deviation of the default schedule
};

}  // namespace

std::uint64_t explore(
    const ExplorationBound& bound,
    const std::function<std::optional<std::vector<std::uint32_t>>(const std::vector<std::uint32_t>&)>& run) {
  return Explorer(bound, run).explore();
}

}  // namespace pintle
