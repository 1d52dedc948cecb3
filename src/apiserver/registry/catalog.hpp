// SPDX-License-Identifier: Apache-2.0
// Catalog: all resources by group and version. Registry: the current catalog.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/mutex.hpp>

#include "resource.hpp"

namespace pintle::apiserver {

// Immutable.
class Catalog {
 public:
  struct Version {
    std::string name{};
    std::vector<ResourcePtr> resources{};  // sorted by plural
  };
  struct Group {
    std::string name{};
    bool custom = false;
    std::vector<Version> versions{};  // the preferred one first
  };

  explicit Catalog(const std::vector<ResourcePtr>& resources);

  // The core group, whose name is "", the other built-in groups in the order of the table, then custom groups by name.
  [[nodiscard]] const std::vector<Group>& groups() const noexcept { return groups_; }
  [[nodiscard]] const Group* group(std::string_view name) const noexcept;
  [[nodiscard]] const Version* version(std::string_view group, std::string_view version) const noexcept;
  [[nodiscard]] ResourcePtr find(std::string_view group, std::string_view version, std::string_view plural) const;
  [[nodiscard]] ResourcePtr find_kind(std::string_view api_version, std::string_view kind) const;
  // One resource for each collection, sorted by collection.
  [[nodiscard]] std::vector<ResourcePtr> collections() const;
  // Returns the version in which the objects are stored if it is served, otherwise any other.
  [[nodiscard]] ResourcePtr of_collection(std::string_view collection) const;
  // True if a webhook converts the objects of a kind.
  [[nodiscard]] bool has_conversions() const noexcept { return has_conversions_; }
  // Returns all versions that serve the objects of a collection.
  [[nodiscard]] std::vector<ResourcePtr> versions_of(std::string_view collection) const;

 private:
  std::vector<Group> groups_;
  bool has_conversions_ = false;
};

// The catalog of the built-in resources, which several registries may share. Immutable.
struct BuiltinCatalog {
  BuiltinCatalog();

  std::vector<ResourcePtr> resources{};
  std::shared_ptr<const Catalog> catalog{};
};

// Thread-safe.
class Registry {
 public:
  Registry(Executor& executor, const BuiltinCatalog& builtin);

  [[nodiscard]] std::shared_ptr<const Catalog> catalog() const;
  // Replaces the custom resources; the built-in ones stay.
  void set_custom(std::vector<ResourcePtr> resources);

 private:
  const std::vector<ResourcePtr> builtin_;
  mutable Mutex mutex_;
  std::shared_ptr<const Catalog> catalog_ PINTLE_GUARDED_BY(mutex_);
};

// True if version `a` comes before `b`: v2 before v1 before v1beta1 before v1alpha1 before all other names.
[[nodiscard]] bool is_preferred(std::string_view a, std::string_view b);

}  // namespace pintle::apiserver
