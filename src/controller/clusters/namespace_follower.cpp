// SPDX-License-Identifier: Apache-2.0
#include "namespace_follower.hpp"

#include <utility>

namespace pintle {

NamespaceFollower::NamespaceFollower(Executor& executor, ServedKinds& served, FirstLists& first_lists, Log log,
                                     MakeInformer make, Callback on_new)
    : served_(served),
      first_lists_(first_lists),
      log_(std::move(log)),
      make_(std::move(make)),
      on_new_(std::move(on_new)),
      mutex_(executor) {}

void NamespaceFollower::add(const std::shared_ptr<InformerSet>& namespaces, std::shared_ptr<InformerSet> followed,
                            bool is_served, bool may_never_come) {
  std::size_t number = 0;
  {
    const MutexLock lock(mutex_);
    number = followed_.size();
    followed_.push_back({.set = std::move(followed), .is_served = is_served, .may_never_come = may_never_come});
  }
  namespaces->on_informer([this, number](Informer& informer) {
    informer.add_handler([this, number](const Change& change) { on_change(number, change); });
  });
}

// A namespace that is being deleted still has its objects, and these may have finalizers.
void NamespaceFollower::on_change(std::size_t number, const Change& change) {
  const std::string name(change.object().name());
  const MutexLock lock(mutex_);
  if (stopped_) return;
  Followed& followed = followed_[number];
  const bool is_active = followed.active.contains(name);
  if (change.current && !is_active) enter(followed, name);
  if (!change.current && is_active) leave(followed, name);
}

void NamespaceFollower::enter(Followed& followed, const std::string& namespace_) {
  log_.info("a namespace has the labels of the selector; watching it from now on",
            {{"namespace", namespace_}, {"kind", followed.set->resource().kind.kind}});
  followed.active.insert(namespace_);
  std::shared_ptr<Informer>& informer = followed.informers[namespace_];
  if (informer == nullptr) {
    InformerOptions options = followed.set->options();
    options.namespace_ = namespace_;
    informer = make_(std::move(options));
    on_new_(*informer);
    followed.set->add(informer);
  } else {
    followed.set->restore(informer);
  }
  if (followed.started.insert(namespace_).second) {
    if (followed.is_served) return first_lists_.add(*informer);
    informer->start();
  } else {
    if (followed.is_served) return informer->begin(followed.set->resource());
    informer->withdraw();  // `inactive` becomes `waiting`
  }
  served_.await(*informer, followed.may_never_come);
}

void NamespaceFollower::leave(Followed& followed, const std::string& namespace_) {
  log_.info("a namespace no longer has the labels of the selector, or was deleted; it is not watched any more",
            {{"namespace", namespace_}, {"kind", followed.set->resource().kind.kind}});
  followed.active.erase(namespace_);
  Informer& informer = *followed.informers.at(namespace_);
  (void)followed.set->take(namespace_);
  if (first_lists_.cancel(informer)) {
    followed.started.erase(namespace_);
    return;
  }
  first_lists_.note_result(informer);  // a list in flight is cancelled and has no result
  served_.forget(informer);
  informer.suspend();
}

std::vector<std::shared_ptr<Informer>> NamespaceFollower::informers() const {
  std::vector<std::shared_ptr<Informer>> all;
  const MutexLock lock(mutex_);
  for (const Followed& followed : followed_) {
    for (const auto& [name, informer] : followed.informers) all.push_back(informer);
  }
  return all;
}

void NamespaceFollower::stop() {
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
  }
  for (const auto& informer : informers()) informer->stop();
}

}  // namespace pintle
