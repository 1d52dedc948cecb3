// References: which of our objects refer to which others.
#pragma once

#include <map>
#include <set>
#include <vector>

#include <pintle/object/kind.hpp>

namespace pintle {

// Thread-safety: none.
class References {
 public:
  // What one of ours refers to now, in place of what it did.
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
