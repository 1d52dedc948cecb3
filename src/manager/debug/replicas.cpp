// SPDX-License-Identifier: Apache-2.0
#include "replicas.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "readiness.hpp"

namespace pintle {
namespace {

const GroupVersionKind pod_kind{"v1", "Pod"};

// Labels that the controllers of Kubernetes add, and that differ between the pods of one operator.
constexpr std::array<std::string_view, 5> labels_of_revisions{
    "pod-template-hash", "controller-revision-hash", "pod-template-generation", "statefulset.kubernetes.io/pod-name",
    "apps.kubernetes.io/pod-index"};

std::string selector_of(const Object& pod) {
  std::string selector;
  for (const auto [name, value] : pod.labels().members()) {
    if (std::ranges::find(labels_of_revisions, name) != labels_of_revisions.end()) continue;
    if (!selector.empty()) selector += ',';
    selector.append(name).append("=").append(value.text());
  }
  return selector;
}

}  // namespace

Replicas::Replicas(Executor& executor, std::unique_ptr<Client> client, Options options)
    : executor_(executor), client_(std::move(client)), options_(std::move(options)) {}

Result<std::vector<Replica>> Replicas::list() {
  {
    const MutexLock lock(mutex_);
    if (last_ && executor_.now() - read_at_ < age) return *last_;
  }
  auto found = read();
  const MutexLock lock(mutex_);
  last_ = found;
  read_at_ = executor_.now();
  return found;
}

Result<std::vector<Replica>> Replicas::read() const {
  const auto own = client_->get(pod_kind, options_.own);
  if (!own) return fail(own.error());
  const std::string selector = selector_of(*own);
  // Without a label, every pod of the namespace would match.
  if (selector.empty()) return std::vector<Replica>{replica_of(*own)};
  const auto pods = client_->list(pod_kind, {.namespace_ = options_.own.namespace_, .label_selector = selector});
  if (!pods) return fail(pods.error());
  std::vector<Replica> replicas;
  for (const Object& pod : pods->items) replicas.push_back(replica_of(pod));
  std::ranges::sort(replicas, {}, &Replica::name);
  return replicas;
}

Replica Replicas::replica_of(const Object& pod) const {
  const std::string address(pod["/status/podIP"].text());
  return {.name = std::string(pod.name()),
          .node = std::string(pod["/spec/nodeName"].text()),
          .started = std::string(pod["/status/startTime"].text()),
          .pages = address.empty() ? "" : options_.pages(address),
          .ready = pod["/status/phase"] != "Succeeded" && readiness_of(pod).state == Readiness::State::ready,
          .deleting = pod.is_deleting(),
          .is_this = pod.name() == options_.own.name};
}

}  // namespace pintle
