// SPDX-License-Identifier: Apache-2.0
// Admission: evaluates the stored policies and calls the webhooks of the stored configurations for each write.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <pintle/base/executor.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/json/value.hpp>

#include "admission_context.hpp"
#include "admission_webhook.hpp"
#include "apiserver/access/authorizer.hpp"
#include "apiserver/conversion/converter.hpp"
#include "apiserver/registry/catalog.hpp"
#include "apiserver/registry/refusal.hpp"
#include "apiserver/storage/storage.hpp"
#include "apiserver/webhooks/webhook_client.hpp"
#include "attributes.hpp"
#include "audit_trail.hpp"
#include "policies/policy_source.hpp"

namespace pintle::apiserver {

// The two phases of one request. In each phase, policies precede webhooks. Both append the warnings of policies and
// webhooks to `warnings`, also when they refuse. They may block if there are webhooks. Thread-safe.
class Admission {
 public:
  Admission(Executor& executor, const Storage& storage, const Registry& registry, WebhookClient& client,
            Converter& converter, const Authorizer& authorizer, const Log& log)
      : executor_(executor),
        storage_(storage),
        registry_(registry),
        client_(client),
        converter_(converter),
        authorizer_(authorizer),
        log_(log),
        audit_(executor),
        mutating_policies_(executor, storage, PolicyKind::mutating),
        validating_policies_(executor, storage, PolicyKind::validating),
        mutex_(executor) {}

  // True if there are webhooks, so that a write may block.
  [[nodiscard]] bool has_webhooks() const;
  // True if there are webhooks or policies, so that writes must pass both phases.
  [[nodiscard]] bool is_configured() const;

  // Lets mutating policies and webhooks change `object`, one after the other. After a change, the second round follows:
  // the plugins (builtin/plugins.hpp), which the caller has run before, then some of the policies and webhooks
  // (reinvocationPolicy). `object` is null for a deletion, `old_object` for a creation.
  [[nodiscard]] StatusOr<void> mutate(const Attributes& attributes, json::Value& object, const json::Value& old_object,
                                      std::vector<std::string>& warnings) const;
  // Evaluates all validating policies, then calls all validating webhooks at once. The first refusal that arrives
  // counts.
  [[nodiscard]] StatusOr<void> validate(const Attributes& attributes, const json::Value& object,
                                        const json::Value& old_object, std::vector<std::string>& warnings) const;

  // The warnings of the expressions of a ValidatingAdmissionPolicy that do not fit the types of the kinds it matches.
  [[nodiscard]] json::array type_warnings(const Object& policy) const;

  // The newest audit annotations, oldest first.
  [[nodiscard]] std::vector<AuditAnnotation> audit_annotations() const { return audit_.annotations(); }

 private:
  using Webhooks = std::shared_ptr<const std::vector<AdmissionWebhook>>;
  // The webhooks of one phase, as of a version of the storage.
  struct Configured {
    Version version = 0;
    Webhooks webhooks{};
  };

  // Refuses a request whose thread must not wait: there were no webhooks when the thread was chosen.
  [[nodiscard]] StatusOr<void> check_may_wait() const;
  [[nodiscard]] Webhooks webhooks(std::string_view collection, Configured& configured) const PINTLE_REQUIRES(mutex_);
  [[nodiscard]] Webhooks mutating_webhooks() const;
  [[nodiscard]] Webhooks validating_webhooks() const;
  [[nodiscard]] AdmissionContext context(const Attributes& attributes, std::vector<std::string>& warnings) const;
  [[nodiscard]] StatusOr<void> call_validating(const AdmissionContext& context,
                                               const std::vector<AdmissionWebhook>& webhooks, const json::Value& object,
                                               const json::Value& old_object) const;

  Executor& executor_;
  const Storage& storage_;
  const Registry& registry_;
  WebhookClient& client_;
  Converter& converter_;
  const Authorizer& authorizer_;
  const Log& log_;
  mutable AuditTrail audit_;
  mutable PolicySource mutating_policies_;
  mutable PolicySource validating_policies_;
  mutable Mutex mutex_;
  mutable Configured mutating_ PINTLE_GUARDED_BY(mutex_);
  mutable Configured validating_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle::apiserver
