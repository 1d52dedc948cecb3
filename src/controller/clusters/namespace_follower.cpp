// SPDX-License-Identifier: Apache-2.0
#include "namespace_follower.hpp"

#include <utility>

namespace pintle {

NamespaceFollower::NamespaceFollower(Executor& executor, ServedKinds& served, FirstLists& first_lists, Log log,
                                     MakeInformer make, OnNew on_new, OnReleased on_released)
    : served_(served),
      first_lists_(first_lists),
      log_(std::move(log)),
      make_(std::move(make)),
      on_new_(std::move(on_new)),
      on_released_(std::move(on_released)),
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
  std::shared_ptr<Informer> released;
  {
    const MutexLock lock(mutex_);
    if (stopped_) return;
    Followed& followed = followed_[number];
    const bool is_active = followed.active.contains(name);
    if (change.current && !is_active) enter(followed, name);
    // A namespace that only loses the labels looks deleted too, but has no deletionTimestamp.
    if (!change.current && is_active) released = leave(followed, name, change.old.is_deleting());
  }
  if (released != nullptr) release(*released);
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
    on_new_(informer);
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

std::shared_ptr<Informer> NamespaceFollower::leave(Followed& followed, const std::string& namespace_, bool is_deleted) {
  log_.info("a namespace no longer has the labels of the selector, or was deleted; it is not watched any more",
            {{"namespace", namespace_}, {"kind", followed.set->resource().kind.kind}});
  followed.active.erase(namespace_);
  std::shared_ptr<Informer> informer = followed.informers.at(namespace_);
  (void)followed.set->take(namespace_);
  const bool has_started = !first_lists_.cancel(*informer);
  if (has_started) {
    first_lists_.note_result(*informer);  // a list in flight is cancelled and has no result
    served_.forget(*informer);
  }
  if (has_started || is_deleted) informer->suspend();
  if (!has_started || is_deleted) followed.started.erase(namespace_);
  if (!is_deleted) return nullptr;
  followed.informers.erase(namespace_);
  return informer;
}

// Waits for the I/O thread, so it must not be called under the lock. The deletions of the objects have been pushed to
// the handlers when the informer has stopped.
void NamespaceFollower::release(Informer& informer) {
  informer.stop();
  served_.forget(informer);  // a response that arrived meanwhile may have suspected its kind
  on_released_(informer);
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
