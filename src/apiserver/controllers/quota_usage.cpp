// SPDX-License-Identifier: Apache-2.0
#include "quota_usage.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace pintle::apiserver {
namespace {

constexpr std::string_view collection_of_quotas = "resourcequotas";
// The time until objects are counted again, if a write was not finished.
constexpr Duration until_counted_again = std::chrono::milliseconds(5);

}  // namespace

Instant QuotaUsage::round() {
  const Version until = service_.storage.version();
  const std::vector<Object> quotas = service_.storage.objects(collection_of_quotas);
  if (!quotas.empty()) {
    // After the start, and after writes that could not be kept, each usage may be wrong.
    const bool is_first = std::exchange(is_first_, false);
    const std::vector<std::string> written = service_.storage.written_after(followed_);
    for (const Object& quota : quotas) {
      const auto concerns = [&](const std::string& collection) {
        return service_.quotas.depends_on(quota, collection);
      };
      if (is_first || std::any_of(written.begin(), written.end(), concerns)) to_count_.emplace(quota.namespace_());
    }
  }
  followed_ = until;
  std::erase_if(to_count_, [&](const std::string& space) { return service_.quotas.recount(space); });
  return to_count_.empty() ? Instant::max() : after(service_.executor.now(), until_counted_again);
}

}  // namespace pintle::apiserver
