// SPDX-License-Identifier: Apache-2.0
#include "policy_source.hpp"

#include <utility>

namespace pintle::apiserver {

PolicySource::PolicySource(Executor& executor, const Storage& storage, PolicyKind kind)
    : storage_(storage),
      kind_(kind),
      policies_(kind == PolicyKind::validating ? "validatingadmissionpolicies.admissionregistration.k8s.io"
                                               : "mutatingadmissionpolicies.admissionregistration.k8s.io"),
      bindings_(kind == PolicyKind::validating ? "validatingadmissionpolicybindings.admissionregistration.k8s.io"
                                               : "mutatingadmissionpolicybindings.admissionregistration.k8s.io"),
      mutex_(executor) {}

PolicySource::Policies PolicySource::current() {
  const MutexLock lock(mutex_);
  const Version policies = storage_.last_write(policies_);
  const Version bindings = storage_.last_write(bindings_);
  if (current_ == nullptr || policies != policies_version_ || bindings != bindings_version_) {
    current_ = std::make_shared<const std::vector<BoundPolicy>>(read());
    policies_version_ = policies;
    bindings_version_ = bindings;
  }
  return current_;
}

std::vector<BoundPolicy> PolicySource::read() {
  std::map<std::string, std::vector<PolicyBinding>> bindings;
  for (const Object& binding : storage_.objects(bindings_)) {
    PolicyBinding read = read_policy_binding(binding);
    std::vector<PolicyBinding>& siblings = bindings[read.policy];
    siblings.push_back(std::move(read));
  }
  std::map<std::string, Compiled, std::less<>> compiled;
  std::vector<BoundPolicy> out;
  for (auto& [name, of_policy] : bindings) {
    const Object stored = storage_.get(policies_, name);
    if (!stored) continue;
    const auto found = compiled_.find(name);
    const bool is_same = found != compiled_.end() && found->second.stored == stored;
    auto policy = is_same ? found->second.policy : std::make_shared<const AdmissionPolicy>(read_policy(kind_, stored));
    compiled[name] = {.stored = stored, .policy = policy};
    out.push_back({.policy = std::move(policy), .bindings = std::move(of_policy)});
  }
  compiled_ = std::move(compiled);
  return out;
}

}  // namespace pintle::apiserver
