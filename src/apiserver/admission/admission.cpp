// SPDX-License-Identifier: Apache-2.0
#include "admission.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/mutex.hpp>

#include "admission_patch.hpp"
#include "admission_review.hpp"
#include "apiserver/registry/fit.hpp"
#include "apiserver/registry/values.hpp"
#include "apiserver/storage/uid.hpp"
#include "webhook_match.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr std::string_view mutating_collection = "mutatingwebhookconfigurations.admissionregistration.k8s.io";
constexpr std::string_view validating_collection = "validatingwebhookconfigurations.admissionregistration.k8s.io";

// A request on its way to one webhook.
struct Outgoing {
  const AdmissionWebhook& webhook;
  ResourcePtr resource{};  // the version in which the objects are sent
  Value object{};
  Value old_object{};
  SentReview sent{};
  Value review{};

  [[nodiscard]] WebhookClient::Call call() const {
    return {.target = webhook.target,
            .type = {.group = "admission.k8s.io", .version = sent.version, .kind = "AdmissionReview"},
            .timeout = webhook.timeout};
  }
  [[nodiscard]] Result<AdmissionResponse> read(Result<Value> review_or_error) const {
    if (!review_or_error) {
      const std::string& why = review_or_error.error().message;
      return fail(review_or_error.error().code, "failed to call webhook: " + why);
    }
    return read_admission_response(*review_or_error, sent);
  }
};

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

// The steps that both phases of one request share.
class Admission::Phase {
 public:
  Phase(const Admission& admission, const Attributes& attributes, std::vector<std::string>& warnings, bool mutates)
      : admission_(admission),
        attributes_(attributes),
        catalog_(admission.registry_.catalog()),
        space_(attributes.resource.namespaced ? admission.storage_.get("namespaces", attributes.namespace_) : Object()),
        warnings_(warnings),
        mutates_(mutates) {}

  // Returns nothing if the webhook does not receive the request.
  StatusOr<std::optional<Outgoing>> prepare(const AdmissionWebhook& webhook, const Value& object,
                                            const Value& old_object) const {
    auto matched = matched_version(webhook, attributes_, object, old_object, admission_.storage_, *catalog_);
    if (!matched) return refuse(std::move(matched.error()));
    if (*matched == nullptr) return std::nullopt;
    Outgoing out{.webhook = webhook, .resource = std::move(*matched)};
    for (const auto& [from, to] : {std::pair(&object, &out.object), std::pair(&old_object, &out.old_object)}) {
      auto converted = to_version(*from, attributes_.resource, *out.resource);
      if (!converted) return refuse(std::move(converted.error()));
      *to = std::move(*converted);
    }
    Value request = admission_request(attributes_, *out.resource);
    auto meets =
        meets_conditions(webhook, attributes_, request, out.object, out.old_object, space_, admission_.authorizer_);
    if (!meets) return refuse(std::move(meets.error()));
    if (!*meets) return std::nullopt;
    out.sent = {.version = webhook.review_version, .uid = make_uid(admission_.executor_), .mutates = mutates_};
    out.review = admission_review(out.sent.version, out.sent.uid, std::move(request),
                                  {.object = out.object, .old_object = out.old_object});
    return out;
  }

  // Returns the response if the webhook admits the request; nothing if it failed and that is ignored.
  StatusOr<std::optional<AdmissionResponse>> admitted(const Outgoing& to, Result<Value> review) const {
    auto response = to.read(std::move(review));
    if (!response) {
      const std::string why =
          fmt::format("failed calling webhook \"{}\": {}", to.webhook.name, response.error().message);
      if (!to.webhook.ignores_failures) return refuse(internal_failure(why));
      admission_.log_.warning(why, {{"failure_policy", "Ignore"}});
      return std::nullopt;
    }
    warnings_.insert(warnings_.end(), response->warnings.begin(), response->warnings.end());
    if (!response->is_allowed) return refuse(denial(to.webhook.name, response->status));
    return std::move(*response);
  }

  // Converts an object that has the kind of the resource.
  StatusOr<Value> to_version(const Value& object, const Resource& from, const Resource& to) const {
    if (object.is_null() || !attributes_.is_whole()) return object;
    return admission_.converter_.between(from, to, object);
  }

 private:
  const Admission& admission_;
  const Attributes& attributes_;
  const std::shared_ptr<const Catalog> catalog_;
  const Object space_;
  std::vector<std::string>& warnings_;
  const bool mutates_;
};

namespace {

// Fits an object that a webhook has changed, as a server does that decodes it into a struct.
StatusOr<void> read_again(Value& object, const Outgoing& to) {
  const Resource& resource = *to.resource;
  if (text_at(object, "/apiVersion") != resource.api_version() || text_at(object, "/kind") != resource.kind) {
    return refuse({.code = 500,
                   .message = fmt::format("converting ({}.{}) to ({}.{}): unknown conversion", resource.version,
                                          text_at(object, "/kind"), resource.group.empty() ? "core" : resource.group,
                                          resource.kind)});
  }
  std::vector<std::string> unknown;
  if (auto fitted = fit_metadata(object, unknown); !fitted) return refuse(internal_failure(fitted.error().message));
  if (auto accepted = resource.strategy->accept_admitted(object); !accepted) {
    return refuse(internal_failure(accepted.error().message));
  }
  return {};
}

}  // namespace

// The mutating phase of one request.
class Admission::Mutation {
 public:
  Mutation(const Admission& admission, const Attributes& attributes, Value& object, const Value& old_object,
           std::vector<std::string>& warnings)
      : admission_(admission),
        attributes_(attributes),
        phase_(admission, attributes, warnings, true),
        object_(object),
        old_object_(old_object) {}

  StatusOr<void> run(const std::vector<AdmissionWebhook>& webhooks) {
    std::vector<const AdmissionWebhook*> called;  // those to call again if a later one changes the object
    std::vector<const AdmissionWebhook*> marked;
    for (const AdmissionWebhook& webhook : webhooks) {
      auto outcome = ask(webhook);
      if (!outcome) return refuse(std::move(outcome.error()));
      if (outcome->changes) marked.insert(marked.end(), called.begin(), called.end());
      if (outcome->changes) called.clear();
      if (outcome->is_called && webhook.may_be_reinvoked) called.push_back(&webhook);
    }
    for (const AdmissionWebhook& webhook : webhooks) {
      if (std::find(marked.begin(), marked.end(), &webhook) == marked.end()) continue;
      auto outcome = ask(webhook);
      if (!outcome) return refuse(std::move(outcome.error()));
      // A change of the second round marks those that follow in the round.
      if (!outcome->changes) continue;
      marked.insert(marked.end(), called.begin(), called.end());
      called.clear();
    }
    return {};
  }

 private:
  struct Outcome {
    bool is_called = false;
    bool changes = false;
  };

  StatusOr<Outcome> ask(const AdmissionWebhook& webhook) {
    auto to = phase_.prepare(webhook, object_, old_object_);
    if (!to) return refuse(std::move(to.error()));
    if (!*to) return Outcome{};
    auto response = phase_.admitted(**to, admission_.client_.call((*to)->call(), (*to)->review));
    if (!response) return refuse(std::move(response.error()));
    const bool has_patch = *response && (*response)->patch && !(*response)->patch->empty();
    if (!has_patch) return Outcome{.is_called = true};
    auto changes = apply(**to, *(*response)->patch);
    if (!changes) return refuse(std::move(changes.error()));
    return Outcome{.is_called = true, .changes = *changes};
  }

  // Returns whether the patch has changed the object.
  StatusOr<bool> apply(Outgoing& to, const json::array& patch) {
    if (object_.is_null()) {
      return refuse(internal_failure(fmt::format(
          "admission webhook \"{}\" attempted to modify the object, which is not supported for this operation",
          to.webhook.name)));
    }
    Value next = to.object;
    if (auto patched = apply_admission_patch(next, patch); !patched) return refuse(std::move(patched.error()));
    const bool is_same_kind = next.is_object() && text_at(next, "/kind") == text_at(to.object, "/kind") &&
                              text_at(next, "/apiVersion") == text_at(to.object, "/apiVersion");
    if (attributes_.is_whole()) {
      if (auto read = read_again(next, to); !read) return refuse(std::move(read.error()));
    } else if (!is_same_kind) {
      return refuse(internal_failure(
          fmt::format("admission webhook \"{}\" has changed the kind of the object", to.webhook.name)));
    }
    const bool changes = !json::equal(next, to.object);
    if (!changes) return false;
    auto converted = phase_.to_version(next, *to.resource, attributes_.resource);
    if (!converted) return refuse(std::move(converted.error()));
    object_ = std::move(*converted);
    return true;
  }

  const Admission& admission_;
  const Attributes& attributes_;
  const Phase phase_;
  Value& object_;
  const Value& old_object_;
};

bool Admission::has_webhooks() const {
  const MutexLock lock(mutex_);
  return !webhooks(mutating_collection, mutating_)->empty() || !webhooks(validating_collection, validating_)->empty();
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
  Webhooks webhooks_now;
  {
    const MutexLock lock(mutex_);
    webhooks_now = webhooks(mutating_collection, mutating_);
  }
  if (webhooks_now->empty()) return {};
  if (auto allowed = check_may_wait(); !allowed) return allowed;
  const Value before = attributes.is_whole() ? object : Value();
  auto done = Mutation(*this, attributes, object, old_object, warnings).run(*webhooks_now);
  if (!done || before.is_null()) return done;
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
  Webhooks webhooks_now;
  {
    const MutexLock lock(mutex_);
    webhooks_now = webhooks(validating_collection, validating_);
  }
  if (webhooks_now->empty()) return {};
  if (auto allowed = check_may_wait(); !allowed) return allowed;
  const Phase phase(*this, attributes, warnings, false);
  std::vector<Outgoing> outgoing;
  for (const AdmissionWebhook& webhook : *webhooks_now) {
    auto to = phase.prepare(webhook, object, old_object);
    if (!to) return refuse(std::move(to.error()));
    if (*to) outgoing.push_back(std::move(**to));
  }
  if (outgoing.size() == 1) {
    auto response = phase.admitted(outgoing[0], client_.call(outgoing[0].call(), outgoing[0].review));
    return response ? StatusOr<void>() : refuse(std::move(response.error()));
  }
  const auto arrivals = std::make_shared<Arrivals>(executor_);
  for (std::size_t i = 0; i < outgoing.size(); ++i) {
    client_.start(outgoing[i].call(), outgoing[i].review,
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
