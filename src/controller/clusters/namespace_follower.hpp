// SPDX-License-Identifier: Apache-2.0
// NamespaceFollower: watches kinds in the namespaces that have certain labels, and follows changes of these labels.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <pintle/base/log.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/cache/informer.hpp>

#include "controller/sources/first_lists.hpp"
#include "controller/sources/informer_set.hpp"
#include "controller/sources/served_kinds.hpp"

namespace pintle {

// Each set gets an informer for each namespace that has the labels. If a namespace loses them or is deleted, the cache
// becomes empty, and its handlers receive the deletion of each object. If it loses them, the informer remains, without
// requests, and begins again when the labels return. If it is deleted, the informer is released, because the names of
// namespaces may be unique. Thread-safe, except add() and stop().
class NamespaceFollower {
 public:
  // An informer that has not started, for one namespace.
  using MakeInformer = std::function<std::shared_ptr<Informer>(InformerOptions options)>;
  using OnNew = std::function<void(const std::shared_ptr<Informer>&)>;
  using OnReleased = std::function<void(const Informer&)>;

  // All must outlive this object. `on_new` is called with each informer before it starts, and `on_released` after it
  // was stopped because its namespace was deleted.
  NamespaceFollower(Executor& executor, ServedKinds& served, FirstLists& first_lists, Log log, MakeInformer make,
                    OnNew on_new, OnReleased on_released);

  // Must be called before `namespaces` starts. `is_served`: the server serves the kind; otherwise its informers wait.
  void add(const std::shared_ptr<InformerSet>& namespaces, std::shared_ptr<InformerSet> followed, bool is_served,
           bool may_never_come);
  // The informers of all sets, including those whose namespaces have lost the labels.
  [[nodiscard]] std::vector<std::shared_ptr<Informer>> informers() const;
  // Stops all informers. Must be called after those of the namespaces have stopped.
  void stop();

 private:
  struct Followed {
    std::shared_ptr<InformerSet> set{};
    bool is_served = true;
    bool may_never_come = false;
    std::map<std::string, std::shared_ptr<Informer>, std::less<>> informers{};  // by namespace
    std::set<std::string, std::less<>> active{};                                // namespaces with the labels
    std::set<std::string, std::less<>> started{};  // namespaces whose informers have started, or will
  };

  void on_change(std::size_t number, const Change& change);
  void enter(Followed& followed, const std::string& namespace_) PINTLE_REQUIRES(mutex_);
  // Returns the informer if it must be released.
  [[nodiscard]] std::shared_ptr<Informer> leave(Followed& followed, const std::string& namespace_, bool is_deleted)
      PINTLE_REQUIRES(mutex_);
  void release(Informer& informer);

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
