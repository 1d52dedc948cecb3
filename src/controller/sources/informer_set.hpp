// SPDX-License-Identifier: Apache-2.0
// InformerSet: the informers of one kind and selection, one for each watched namespace.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/mutex.hpp>
#include <pintle/cache/informer.hpp>

namespace pintle {

// A controller reads and watches its namespaces through one set. If all namespaces are watched, or if the kind is
// cluster-scoped, the set has one informer. Informers are added and removed while it is used if the namespaces are
// selected by labels. Thread-safe, except on_informer().
class InformerSet {
 public:
  using Member = std::shared_ptr<Informer>;
  using Members = std::vector<Member>;  // ordered by namespace

  // `common` has the options of all informers; its namespace is empty. If `is_fixed` is true, no informer is added
  // or removed after the first one has started.
  InformerSet(Executor& executor, InformerOptions common, bool is_fixed)
      : common_(std::move(common)),
        is_fixed_(is_fixed),
        fixed_(std::make_shared<const Members>()),
        mutex_(executor),
        changing_(fixed_) {}

  [[nodiscard]] const InformerOptions& options() const noexcept { return common_; }
  // Whether the namespaces are selected by labels.
  [[nodiscard]] bool follows_namespaces() const noexcept { return !is_fixed_; }
  [[nodiscard]] const Resource& resource() const noexcept { return common_.resource; }
  // Whether it contains all objects of the kind in its namespaces.
  [[nodiscard]] bool has_no_selector() const noexcept {
    return common_.label_selector.empty() && common_.field_selector.empty();
  }

  [[nodiscard]] bool has_only_metadata() const noexcept { return common_.reflector.metadata_only; }

  // Calls the function with each informer, and later with each one that is added, before the informer starts. Must be
  // called before the first informer starts.
  void on_informer(const std::function<void(Informer&)>& callback);
  // For a set to which informers are added: adds an index to all of them. Must be called before the first informer
  // starts. Error: already_exists.
  [[nodiscard]] Result<void> add_index(const Index& index);
  // Adds an informer that has not started.
  void add(Member informer);
  // Removes the informer of a namespace and returns it, and adds it again. Reads of the set no longer see it meanwhile.
  Member take(std::string_view namespace_);
  void restore(Member informer);

  // The informers of this moment.
  [[nodiscard]] std::shared_ptr<const Members> members() const;
  // Returns the informer that has the objects of a namespace; null if the namespace is not watched.
  [[nodiscard]] Member of_namespace(std::string_view namespace_) const;
  // Returns an empty Object if no informer has it.
  [[nodiscard]] Object get(const ObjectKey& key) const;
  [[nodiscard]] ObjectRange range() const;
  [[nodiscard]] std::size_t size() const;
  // See Informer::has_only_own_writes().
  [[nodiscard]] bool has_only_own_writes(const Object& before, const Object& after) const;

 private:
  const InformerOptions common_;
  std::vector<std::function<void(Informer&)>> callbacks_;
  std::set<std::string, std::less<>> indexes_;  // names, if informers are added
  const bool is_fixed_;
  std::shared_ptr<const Members> fixed_;  // read without a lock
  mutable Mutex mutex_;
  std::shared_ptr<const Members> changing_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle
