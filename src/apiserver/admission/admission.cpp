// SPDX-License-Identifier: Apache-2.0
#include "admission.hpp"

#include <utility>

#include <fmt/format.h>

#include <pintle/base/mutex.hpp>

#include "admission_patch.hpp"
#include "builtin/plugins.hpp"
#include "mutating_webhooks.hpp"
#include "policies/mutating_policies.hpp"
#include "policies/policy_types.hpp"
#include "policies/validating_policies.hpp"
#include "webhook_phase.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr std::string_view mutating_collection = "mutatingwebhookconfigurations.admissionregistration.k8s.io";
constexpr std::string_view validating_collection = "validatingwebhookconfigurations.admissionregistration.k8s.io";

// Collects the responses of several webhooks in the order in which they arrive.
class Arrivals {
 public:
  explicit Arrivals(Executor& executor) : mutex_(executor), changed_(executor) {}

  void add(std::size_t index, Result<Value> review) {
    const MutexLock lock(mutex_);
    arrived_.emplace_back(index, std::move(review));
    changed_.notify_all();
  }
  std::vector<std::pair<std::size_t, Result<Value>>> wait_for(std::size_t count) {
    const MutexLock lock(mutex_);
    while (arrived_.size() < count) changed_.wait(mutex_);
    return std::move(arrived_);
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  std::vector<std::pair<std::size_t, Result<Value>>> arrived_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace

json::array Admission::type_warnings(const Object& policy) const {
  return apiserver::type_warnings(*registry_.catalog(), policy.root());
}

bool Admission::has_webhooks() const { return !mutating_webhooks()->empty() || !validating_webhooks()->empty(); }

bool Admission::is_configured() const {
  return has_webhooks() || !mutating_policies_.current()->empty() || !validating_policies_.current()->empty();
}

Admission::Webhooks Admission::webhooks(std::string_view collection, Configured& configured) const {
  const Version version = storage_.last_write(collection);
  if (configured.webhooks == nullptr || configured.version != version) {
    configured = {
        .version = version,
        .webhooks = std::make_shared<const std::vector<AdmissionWebhook>>(read_webhooks(storage_.objects(collection)))};
  }
  return configured.webhooks;
}

Admission::Webhooks Admission::mutating_webhooks() const {
  const MutexLock lock(mutex_);
  return webhooks(mutating_collection, mutating_);
}

Admission::Webhooks Admission::validating_webhooks() const {
  const MutexLock lock(mutex_);
  return webhooks(validating_collection, validating_);
}

AdmissionContext Admission::context(const Attributes& attributes, std::vector<std::string>& warnings) const {
  return {.executor = executor_,
          .storage = storage_,
          .converter = converter_,
          .authorizer = authorizer_,
          .log = log_,
          .audit = audit_,
          .attributes = attributes,
          .catalog = registry_.catalog(),
          .space = attributes.resource.namespaced ? storage_.get("namespaces", attributes.namespace_) : Object(),
          .warnings = warnings};
}

StatusOr<void> Admission::check_may_wait() const {
  if (executor_.may_block()) return {};
  Refusal refusal{.code = 503,
                  .reason = "ServiceUnavailable",
                  .message = "webhooks were configured while the request arrived, please try again later",
                  .details = Details{}};
  refusal.details->retry_after_seconds = 1;
  return refuse(std::move(refusal));
}

StatusOr<void> Admission::mutate(const Attributes& attributes, Value& object, const Value& old_object,
                                 std::vector<std::string>& warnings) const {
  const Webhooks webhooks_now = mutating_webhooks();
  const PolicySource::Policies policies_now = mutating_policies_.current();
  if (webhooks_now->empty() && policies_now->empty()) return {};
  if (!webhooks_now->empty()) {
    if (auto allowed = check_may_wait(); !allowed) return allowed;
  }
  const AdmissionContext shared = context(attributes, warnings);
  const Value before = attributes.is_whole() ? object : Value();
  MutatingPolicies policies(shared, *policies_now, object, old_object);
  MutatingWebhooks webhooks(shared, client_, *webhooks_now, object, old_object);
  if (auto done = policies.run(); !done) return done;
  if (auto done = webhooks.run(); !done) return done;
  if (policies.has_changed() || webhooks.has_changed()) {
    if (!object.is_null() && has_plugins(attributes.resource)) {
      if (auto done = mutate_by_plugins(storage_, attributes, object, old_object); !done) return done;
    }
    if (auto done = policies.run_again(); !done) return done;
    if (auto done = webhooks.run_again(); !done) return done;
  }
  if (before.is_null()) return {};
  if (const auto complaint = restore_managed_fields(object, before); !complaint.empty()) {
    warnings.push_back(
        fmt::format(".metadata.managedFields was in an invalid state after admission; this could be caused "
                    "by an outdated mutating admission controller; please fix your requests: {}",
                    complaint));
  }
  return {};
}

StatusOr<void> Admission::validate(const Attributes& attributes, const Value& object, const Value& old_object,
                                   std::vector<std::string>& warnings) const {
  const Webhooks webhooks_now = validating_webhooks();
  const PolicySource::Policies policies_now = validating_policies_.current();
  if (webhooks_now->empty() && policies_now->empty()) return {};
  if (!webhooks_now->empty()) {
    if (auto allowed = check_may_wait(); !allowed) return allowed;
  }
  const AdmissionContext shared = context(attributes, warnings);
  if (auto valid = evaluate_validating(shared, *policies_now, object, old_object); !valid) return valid;
  return call_validating(shared, *webhooks_now, object, old_object);
}

StatusOr<void> Admission::call_validating(const AdmissionContext& context,
                                          const std::vector<AdmissionWebhook>& webhooks, const Value& object,
                                          const Value& old_object) const {
  const WebhookPhase phase(context, false);
  std::vector<OutgoingReview> outgoing;
  for (const AdmissionWebhook& webhook : webhooks) {
    auto to = phase.prepare(webhook, object, old_object);
    if (!to) return refuse(std::move(to.error()));
    if (*to) outgoing.push_back(std::move(**to));
  }
  if (outgoing.size() == 1) {
    auto response = phase.admitted(outgoing[0], client_.call(phase.call(outgoing[0]), outgoing[0].review));
    return response ? StatusOr<void>() : refuse(std::move(response.error()));
  }
  const auto arrivals = std::make_shared<Arrivals>(executor_);
  for (std::size_t i = 0; i < outgoing.size(); ++i) {
    client_.start(phase.call(outgoing[i]), outgoing[i].review,
                  [arrivals, i](Result<Value> review) { arrivals->add(i, std::move(review)); });
  }
  StatusOr<void> out;
  for (auto& [index, review] : arrivals->wait_for(outgoing.size())) {
    auto response = phase.admitted(outgoing[index], std::move(review));
    if (!response && out) out = refuse(std::move(response.error()));
  }
  return out;
}

}  // namespace pintle::apiserver
