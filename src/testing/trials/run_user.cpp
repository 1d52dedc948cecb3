// SPDX-License-Identifier: Apache-2.0
// The user of a run.
#include <algorithm>
#include <string_view>
#include <utility>

#include "run.hpp"

namespace pintle::testkit {
namespace {

using namespace std::chrono_literals;

constexpr Duration longest_deletion = 8min;  // an operator may notice it only after a watch was silent
constexpr Duration longest_refusal = 5min;   // by webhooks that fail

// Whether a request failed because a webhook did not respond, and not because it denied the request.
bool is_of_failing_webhook(const Error& error) {
  const std::string_view text = error.message;
  if (text.find("failed calling webhook") != std::string_view::npos) return true;
  const std::size_t conversion = text.find("conversion webhook for ");
  return conversion != std::string_view::npos && text.find(" failed: ", conversion) != std::string_view::npos;
}

// Whether the server deletes an object after another one: its namespace, its definition or an owner.
bool goes_with(const StoredObject& object, const StoredObject& deleted) {
  if (deleted.resource == "namespaces" && object.object.namespace_() == deleted.object.name()) return true;
  if (deleted.resource == "customresourcedefinitions.apiextensions.k8s.io" &&
      object.resource == deleted.object.name()) {
    return true;
  }
  for (const json::View owner : object.object["/metadata/ownerReferences"].elements()) {
    if (owner.member("uid") == deleted.object.uid()) return true;
  }
  return false;
}

}  // namespace

Result<void> Run::repeat_if_webhook_fails(const std::function<Result<void>()>& request) {
  const Instant limit = after(simulation_.executor().now(), longest_refusal);
  while (true) {
    Result<void> done = request();
    if (done) return done;
    journal_->note("user", "gets the error " + done.error().to_string());
    if (!is_of_failing_webhook(done.error()) || simulation_.executor().now() >= limit || journal_->is_full())
      return done;
    fleet_->pass_time(1s);
    journal_->note("user", "tries again");
  }
}

void Run::edit(const std::string& what, const std::function<Result<void>(Client& user)>& act) {
  edits_.push_back({.what = what, .act = act});
  if (edits_.size() > 1) return;
  while (!edits_.empty()) {
    make(edits_.front());
    edits_.pop_front();
  }
}

void Run::make(const UserEdit& edit) {
  journal_->note("user", edit.what);
  (void)repeat_if_webhook_fails([&] {
    check_strangers();  // those that are missing now were not deleted by the user
    Result<void> done = edit.act(user());
    forget_deleted_strangers();
    return done;
  });
  user_version_ = simulation_.server().resource_version();
}

void Run::forget_deleted_strangers() {
  std::vector<StoredObject> deleted;
  const auto is_deleted = [&](const StoredObject& one) {
    return !is_there(one) ||
           std::ranges::any_of(deleted, [&](const StoredObject& other) { return goes_with(one, other); });
  };
  while (true) {
    const auto found = std::ranges::find_if(strangers_, is_deleted);
    if (found == strangers_.end()) return;
    journal_->unprotect({.resource = found->resource, .key = found->object.key()});
    deleted.push_back(std::move(*found));
    strangers_.erase(found);
  }
}

void Run::wait_until_gone(const GroupVersionKind& kind, const ObjectKey& key) {
  // A user who creates it too early gets an error, and the final state would differ.
  const Instant limit = after(simulation_.executor().now(), longest_deletion);
  while (simulation_.executor().now() < limit && !journal_->is_full()) {
    const auto found = user().get(kind, key);
    if (!found && found.error().code == ErrorCode::not_found) return;
    fleet_->pass_time(500ms);
  }
}

bool Run::has_webhooks() {
  for (const char* resource : {"mutatingwebhookconfigurations.admissionregistration.k8s.io",
                               "validatingwebhookconfigurations.admissionregistration.k8s.io"}) {
    if (!simulation_.server().objects(resource).empty()) return true;
  }
  return std::ranges::any_of(simulation_.server().objects("customresourcedefinitions.apiextensions.k8s.io"),
                             [](const Object& crd) { return crd["/spec/conversion/strategy"] == "Webhook"; });
}

}  // namespace pintle::testkit
