// SPDX-License-Identifier: Apache-2.0
#include "kubelets.hpp"

#include <algorithm>
#include <utility>

#include "apiserver/objects/write.hpp"

namespace pintle::apiserver {
namespace {

constexpr std::string_view collection_of_pods = "pods";
constexpr std::size_t pods_at_once = 256;

}  // namespace

Instant Kubelets::round() {
  follow();
  Instant due = Instant::max();
  const Instant now = service_.executor.now();
  std::erase_if(endings_, [&](const auto& one) {
    const auto& [uid, pod] = one;
    const bool is_due = pod.due <= now;
    if (is_due) {
      confirm(uid, pod);
    } else {
      due = std::min(due, pod.due);
    }
    return is_due;
  });
  return due;
}

void Kubelets::follow() {
  while (place_) {
    const Batch batch = service_.storage.read(collection_of_pods, *place_, pods_at_once, 0);
    for (const ChangePtr& change : batch.changes) note(change->after);
    if (batch.drained) return;
    if (batch.lost) place_.reset();
  }
  const auto [page, place] = service_.storage.list_and_place(collection_of_pods, "");
  place_ = place;
  for (const Object& pod : page.objects) note(pod);
}

void Kubelets::note(const Object& pod) {
  if (!pod.is_deleting() || grace_of(pod) == 0) return;
  endings_.try_emplace(std::string(pod.uid()), Ending{.namespace_ = std::string(pod.namespace_()),
                                                      .name = std::string(pod.name()),
                                                      .due = after(service_.executor.now(), termination_delay_)});
}

void Kubelets::confirm(const std::string& uid, const Ending& pod) {
  const ResourcePtr resource = service_.registry.catalog()->of_collection(collection_of_pods);
  // An error means that the Pod is already gone.
  (void)delete_object(service_, *resource, pod.namespace_, pod.name, {.uid = uid, .grace = 0});
}

}  // namespace pintle::apiserver
