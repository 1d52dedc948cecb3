// SPDX-License-Identifier: Apache-2.0
// Quotas: refuses objects beyond the ResourceQuotas of their namespace, and counts the others in the status of these.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/executor.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/object.hpp>

#include "amounts.hpp"
#include "apiserver/registry/catalog.hpp"
#include "apiserver/registry/refusal.hpp"
#include "apiserver/storage/storage.hpp"

namespace pintle::apiserver {

// A write that a quota may refuse. Valid as long as the write.
struct QuotaWrite {
  const Resource& resource;
  std::string_view namespace_{};
  std::string_view name{};
  const json::Value& object;
  const json::Value* old_object = nullptr;  // null: a creation
  bool dry_run = false;
};

// A quota limits from the write on that stores it. The usage in its status is never below that of the stored objects,
// as long as nothing else writes the status: concurrent writes cannot exceed a quota together. Thread-safe.
class Quotas {
 public:
  // The usage of a write that is not finished. The destructor gives it back, unless keep() was called.
  class Charge {
   public:
    Charge() = default;
    Charge(Charge&& other) noexcept;
    Charge& operator=(Charge&&) = delete;
    ~Charge();
    // The write is stored.
    void keep() noexcept { charged_.clear(); }

   private:
    friend class Quotas;
    Charge(Quotas& quotas, std::string_view namespace_);

    Quotas* quotas_ = nullptr;
    std::string namespace_{};
    std::vector<std::pair<Object, Amounts>> charged_{};  // quotas
  };

  Quotas(Executor& executor, Storage& storage, const Registry& registry)
      : executor_(executor), storage_(storage), registry_(registry), mutex_(executor) {}

  // 403: a quota of the namespace does not allow the write. A dry run charges nothing.
  [[nodiscard]] StatusOr<Charge> charge(const QuotaWrite& write);

  // Writes the usage of the stored objects to the status of all quotas of a namespace. Returns false if a write to the
  // namespace is not finished, or another one came first; then it must be called again.
  [[nodiscard]] bool recount(std::string_view namespace_);
  // True if a write to a collection can change the usage of a quota.
  [[nodiscard]] bool depends_on(const Object& quota, std::string_view collection) const;

 private:
  [[nodiscard]] bool has_unfinished(std::string_view namespace_) const;
  [[nodiscard]] Amounts used_of(const Object& quota) const;
  // Counts the stored objects for the names in `hard`.
  [[nodiscard]] Amounts counted(const Object& quota, const Amounts& hard) const;
  [[nodiscard]] StatusOr<void> check(const QuotaWrite& write, const Object& quota, const Amounts& requested) const;
  [[nodiscard]] StatusOr<void> add(const QuotaWrite& write, Object quota, const Amounts& added, Charge& charge);
  void give_back(const Object& quota, const Amounts& amounts);
  [[nodiscard]] Result<std::optional<Object>> put(const Object& quota, const Amounts& used);

  Executor& executor_;
  Storage& storage_;
  const Registry& registry_;
  mutable Mutex mutex_;
  std::map<std::string, int, std::less<>> unfinished_ PINTLE_GUARDED_BY(mutex_);  // writes by namespace
};

}  // namespace pintle::apiserver
