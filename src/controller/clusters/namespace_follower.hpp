// SPDX-License-Identifier: Apache-2.0
// NamespaceFollower: watches kinds in the namespaces that have certain labels, and follows changes of these labels.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <pintle/base/log.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/cache/informer.hpp>

#include "controller/sources/first_lists.hpp"
#include "controller/sources/informer_need.hpp"
#include "controller/sources/informer_set.hpp"
#include "controller/sources/served_kinds.hpp"

namespace pintle {

// Each set gets an informer for each namespace that has the labels. If a namespace loses them or is deleted, the cache
// becomes empty, its handlers receive the deletion of each object, and the informer is released: the names of
// namespaces may be unique, and no event shows that a namespace without the labels was deleted. Thread-safe, except
// add(), strengthen() and stop().
class NamespaceFollower {
 public:
  // An informer that has not started, for one namespace.
  using MakeInformer = std::function<std::shared_ptr<Informer>(InformerOptions options)>;
  using OnNew = std::function<void(const std::shared_ptr<Informer>&, const InformerNeed&)>;
  using OnReleased = std::function<void(const Informer&)>;

  // All must outlive this object. `on_new` is called with each informer before it starts, and `on_released` after it
  // was stopped because its namespace lost the labels or was deleted.
  NamespaceFollower(Executor& executor, ServedKinds& served, FirstLists& first_lists, Log log, MakeInformer make,
                    OnNew on_new, OnReleased on_released);

  // Must be called before `namespaces` starts. `is_served`: the server serves the kind; otherwise its informers wait.
  void add(const std::shared_ptr<InformerSet>& namespaces, std::shared_ptr<InformerSet> followed, bool is_served,
           const InformerNeed& need);
  // Adds another need of a set. Must be called before `namespaces` starts.
  void strengthen(const InformerSet& followed, const InformerNeed& need);
  struct Source {
    std::shared_ptr<Informer> informer{};
    InformerNeed need{};
  };
  // The informers of all sets.
  [[nodiscard]] std::vector<Source> sources() const;
  // Stops all informers. Must be called after those of the namespaces have stopped.
  void stop();

 private:
  struct Followed {
    std::shared_ptr<InformerSet> set{};
    bool is_served = true;
    InformerNeed need{};
    std::map<std::string, std::shared_ptr<Informer>, std::less<>> informers{};  // by namespace
  };

  void on_change(std::size_t number, const Change& change);
  void enter(Followed& followed, const std::string& namespace_) PINTLE_REQUIRES(mutex_);
  // Returns the informer, which must be released.
  [[nodiscard]] std::shared_ptr<Informer> leave(Followed& followed, const std::string& namespace_)
      PINTLE_REQUIRES(mutex_);
  void release(Informer& informer);
  void forget(Informer& informer);

  ServedKinds& served_;
  FirstLists& first_lists_;
  const Log log_;
  const MakeInformer make_;
  const OnNew on_new_;
  const OnReleased on_released_;
  mutable Mutex mutex_;
  std::vector<Followed> followed_ PINTLE_GUARDED_BY(mutex_);
  bool stopped_ PINTLE_GUARDED_BY(mutex_) = false;
};

}  // namespace pintle
