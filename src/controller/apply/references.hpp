// SPDX-License-Identifier: Apache-2.0
// References: the objects of a controller, by the objects to which they refer.
#pragma once

#include <map>
#include <set>
#include <vector>

#include <pintle/object/kind.hpp>

namespace pintle {

// Not thread-safe.
class References {
 public:
  // Replaces the targets of an object of the controller.
  void set(const ObjectKey& ours, std::vector<ObjectKey> targets) {
    erase(ours);
    for (const ObjectKey& target : targets) referrers_[target].insert(ours);
    if (!targets.empty()) targets_[ours] = std::move(targets);
  }
  void erase(const ObjectKey& ours) {
    const auto known = targets_.find(ours);
    if (known == targets_.end()) return;
    for (const ObjectKey& target : known->second) {
      const auto referrers = referrers_.find(target);
      if (referrers == referrers_.end()) continue;
      referrers->second.erase(ours);
      if (referrers->second.empty()) referrers_.erase(referrers);
    }
    targets_.erase(known);
  }
  [[nodiscard]] std::vector<ObjectKey> to(const ObjectKey& target) const {
    const auto referrers = referrers_.find(target);
    if (referrers == referrers_.end()) return {};
    return {referrers->second.begin(), referrers->second.end()};
  }
  [[nodiscard]] bool empty() const noexcept { return targets_.empty() && referrers_.empty(); }

 private:
  std::map<ObjectKey, std::vector<ObjectKey>> targets_;
  std::map<ObjectKey, std::set<ObjectKey>> referrers_;
};

}  // namespace pintle
