// SPDX-License-Identifier: Apache-2.0
// PolicySource: the stored policies of one kind with their bindings.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/executor.hpp>
#include <pintle/base/mutex.hpp>

#include "apiserver/storage/storage.hpp"
#include "policy.hpp"

namespace pintle::apiserver {

// Policies take effect with the write that stores them; each is compiled when it is first used. Thread-safe.
class PolicySource {
 public:
  using Policies = std::shared_ptr<const std::vector<BoundPolicy>>;

  PolicySource(Executor& executor, const Storage& storage, PolicyKind kind);

  // Returns the policies that have a binding, sorted by name. Never null.
  [[nodiscard]] Policies current();

 private:
  struct Compiled {
    Object stored{};
    std::shared_ptr<const AdmissionPolicy> policy{};
  };

  [[nodiscard]] std::vector<BoundPolicy> read() PINTLE_REQUIRES(mutex_);

  const Storage& storage_;
  const PolicyKind kind_;
  const std::string_view policies_;  // the collections
  const std::string_view bindings_;
  Mutex mutex_;
  Policies current_ PINTLE_GUARDED_BY(mutex_);
  Version policies_version_ PINTLE_GUARDED_BY(mutex_) = 0;
  Version bindings_version_ PINTLE_GUARDED_BY(mutex_) = 0;
  std::map<std::string, Compiled, std::less<>> compiled_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle::apiserver
