// SPDX-License-Identifier: Apache-2.0
#include "mutating_webhooks.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "admission_patch.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {

using json::Value;

StatusOr<void> MutatingWebhooks::run() {
  for (const AdmissionWebhook& webhook : webhooks_) {
    auto outcome = ask(webhook);
    if (!outcome) return refuse(std::move(outcome.error()));
    if (outcome->changes) mark_called();
    if (outcome->is_called && webhook.may_be_reinvoked) called_.push_back(&webhook);
  }
  if (!called_.empty()) output_ = object_;
  return {};
}

StatusOr<void> MutatingWebhooks::run_again() {
  if (!called_.empty() && !json::equal(output_, object_)) mark_called();
  for (const AdmissionWebhook& webhook : webhooks_) {
    if (std::find(marked_.begin(), marked_.end(), &webhook) == marked_.end()) continue;
    auto outcome = ask(webhook);
    if (!outcome) return refuse(std::move(outcome.error()));
    // A change of the second round marks those that follow in the round.
    if (outcome->changes) mark_called();
  }
  return {};
}

void MutatingWebhooks::mark_called() {
  marked_.insert(marked_.end(), called_.begin(), called_.end());
  called_.clear();
}

StatusOr<MutatingWebhooks::Outcome> MutatingWebhooks::ask(const AdmissionWebhook& webhook) {
  auto to = phase_.prepare(webhook, object_, old_object_);
  if (!to) return refuse(std::move(to.error()));
  if (!*to) return Outcome{};
  auto response = phase_.admitted(**to, client_.call(phase_.call(**to), (*to)->review));
  if (!response) return refuse(std::move(response.error()));
  const bool has_patch = *response && (*response)->patch && !(*response)->patch->empty();
  if (!has_patch) return Outcome{.is_called = true};
  auto changes = apply(**to, *(*response)->patch);
  if (!changes) return refuse(std::move(changes.error()));
  has_changed_ = has_changed_ || *changes;
  return Outcome{.is_called = true, .changes = *changes};
}

StatusOr<bool> MutatingWebhooks::apply(OutgoingReview& to, const json::array& patch) {
  if (object_.is_null()) {
    return refuse(internal_failure(fmt::format(
        "admission webhook \"{}\" attempted to modify the object, which is not supported for this operation",
        to.webhook.name)));
  }
  Value next = to.object;
  if (auto patched = apply_admission_patch(next, patch); !patched) return refuse(std::move(patched.error()));
  const bool is_same_kind = next.is_object() && text_at(next, "/kind") == text_at(to.object, "/kind") &&
                            text_at(next, "/apiVersion") == text_at(to.object, "/apiVersion");
  if (context_.attributes.is_whole()) {
    std::vector<std::string> unknown;
    if (auto read = read_admitted(next, *to.resource, unknown); !read) return refuse(std::move(read.error()));
  } else if (!is_same_kind) {
    return refuse(
        internal_failure(fmt::format("admission webhook \"{}\" has changed the kind of the object", to.webhook.name)));
  }
  if (json::equal(next, to.object)) return false;
  auto converted = context_.to_version(next, *to.resource, context_.attributes.resource);
  if (!converted) return refuse(std::move(converted.error()));
  object_ = std::move(*converted);
  return true;
}

}  // namespace pintle::apiserver
