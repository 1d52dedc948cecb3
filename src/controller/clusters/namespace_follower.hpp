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
// becomes empty, and its handlers receive the deletion of each object; the informer remains, without requests, and
// begins again when the labels return. Thread-safe, except add() and stop().
class NamespaceFollower {
 public:
  // An informer that has not started, for one namespace.
  using MakeInformer = std::function<std::shared_ptr<Informer>(InformerOptions options)>;
  using Callback = std::function<void(Informer&)>;

  // All must outlive this object. `on_new` is called with each informer before it starts.
  NamespaceFollower(Executor& executor, ServedKinds& served, FirstLists& first_lists, Log log, MakeInformer make,
                    Callback on_new);

  // Must be called before `namespaces` starts. `is_served`: the server serves the kind; otherwise its informers wait.
  void add(const std::shared_ptr<InformerSet>& namespaces, std::shared_ptr<InformerSet> followed, bool is_served,
           bool may_never_come);
  // The informers of all sets, including those whose namespaces no longer have the labels.
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
  void leave(Followed& followed, const std::string& namespace_) PINTLE_REQUIRES(mutex_);

  ServedKinds& served_;
  FirstLists& first_lists_;
  const Log log_;
  const MakeInformer make_;
  const Callback on_new_;
  mutable Mutex mutex_;
  std::vector<Followed> followed_ PINTLE_GUARDED_BY(mutex_);
  bool stopped_ PINTLE_GUARDED_BY(mutex_) = false;
};

}  // namespace pintle
