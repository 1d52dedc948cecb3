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
                            bool is_served, const InformerNeed& need) {
  std::size_t number = 0;
  {
    const MutexLock lock(mutex_);
    number = followed_.size();
    followed_.push_back({.set = std::move(followed), .is_served = is_served, .need = need});
  }
  namespaces->on_informer([this, number](Informer& informer) {
    informer.add_handler([this, number](const Change& change) { on_change(number, change); });
  });
}

void NamespaceFollower::strengthen(const InformerSet& followed, const InformerNeed& need) {
  const MutexLock lock(mutex_);
  for (Followed& known : followed_) {
    if (known.set.get() == &followed) known.need.add(need);
  }
}

// A namespace that is being deleted still has its objects, and these may have finalizers.
void NamespaceFollower::on_change(std::size_t number, const Change& change) {
  const std::string name(change.object().name());
  std::shared_ptr<Informer> released;
  {
    const MutexLock lock(mutex_);
    if (stopped_) return;
    Followed& followed = followed_[number];
    const bool is_known = followed.informers.contains(name);
    if (change.current && !is_known) enter(followed, name);
    if (!change.current && is_known) released = leave(followed, name);
  }
  if (released != nullptr) release(*released);
}

void NamespaceFollower::enter(Followed& followed, const std::string& namespace_) {
  log_.info("a namespace has the labels of the selector; watching it from now on",
            {{"namespace", namespace_}, {"kind", followed.set->resource().kind.kind}});
  InformerOptions options = followed.set->options();
  options.namespace_ = namespace_;
  const std::shared_ptr<Informer> informer = make_(std::move(options));
  followed.informers[namespace_] = informer;
  on_new_(informer, followed.need);
  followed.set->add(informer);
  if (followed.is_served) return first_lists_.add(*informer);
  informer->start();
  served_.await(*informer, followed.need.if_served);
}

std::shared_ptr<Informer> NamespaceFollower::leave(Followed& followed, const std::string& namespace_) {
  log_.info("a namespace no longer has the labels of the selector, or was deleted; it is not watched any more",
            {{"namespace", namespace_}, {"kind", followed.set->resource().kind.kind}});
  auto node = followed.informers.extract(namespace_);
  (void)followed.set->take(namespace_);
  forget(*node.mapped());
  node.mapped()->suspend();
  return std::move(node.mapped());
}

// Waits for the I/O thread, so it must not be called under the lock. The deletions of the objects have been pushed to
// the handlers when the informer has stopped.
void NamespaceFollower::release(Informer& informer) {
  informer.stop();
  forget(informer);  // a response that arrived meanwhile may have suspected its kind
  on_released_(informer);
}

// A list in flight is cancelled and has no result, so its place is free.
void NamespaceFollower::forget(Informer& informer) {
  served_.forget(informer);
  first_lists_.remove(informer);
}

std::vector<NamespaceFollower::Source> NamespaceFollower::sources() const {
  std::vector<Source> all;
  const MutexLock lock(mutex_);
  for (const Followed& followed : followed_) {
    for (const auto& [name, informer] : followed.informers) all.push_back({informer, followed.need});
  }
  return all;
}

void NamespaceFollower::stop() {
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
  }
  for (const Source& source : sources()) source.informer->stop();
}

}  // namespace pintle
