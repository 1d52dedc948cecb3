// SPDX-License-Identifier: Apache-2.0
// The user of a run.
#include <algorithm>
#include <string_view>
#include <utility>

#include "plan.hpp"
#include "run.hpp"

namespace pintle::testkit {
namespace {

using namespace std::chrono_literals;

constexpr Duration longest_deletion = 8min;  // an operator may notice it only after a watch was silent
constexpr Duration longest_refusal = 5min;   // by webhooks that fail

// Whether a request failed because of a fault of a webhook, and not because the operator denied the request.
bool is_of_failing_webhook(const Error& error) {
  const std::string_view text = error.message;
  if (text.find(refused_by_trial) != std::string_view::npos) return true;
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
    check_marks();
    Result<void> done = edit.act(user());
    forget_deleted_strangers();
    forget_missing_marks();
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

Object Run::stored(const StoredKey& key) {
  for (Object& object : simulation_.server().objects(key.resource)) {
    if (object.key() == key.key) return object;
  }
  return {};
}

void Run::mark(const GroupVersionKind& kind, const ObjectKey& key, Duration hold) {
  edit("another program marks " + kind.kind + " " + key.to_string(),
       [this, kind, key](Client&) { return patch_mark(kind, key, true); });
  fleet_->edit_later(hold, [this, kind, key] {
    edit("the other program removes its finalizer from " + kind.kind + " " + key.to_string(),
         [this, kind, key](Client&) { return patch_mark(kind, key, false); });
  });
}

// Patches an object as it is now, because the operator may write it at the same time.
Result<void> Run::patch_mark(const GroupVersionKind& kind, const ObjectKey& key, bool is_set) {
  while (true) {
    const auto now = user().get(kind, key);
    const auto resource = user().resource(kind);
    if (!now) return now.error().code == ErrorCode::not_found ? Result<void>() : Result<void>(fail(now.error()));
    if (!resource) return fail(resource.error());
    const StoredKey stored{.resource = resource->to_string(), .key = key};
    if (!is_set) journal_->marks().release(stored);
    const auto patched = user().patch(kind, key, is_set ? Marks::patch_to_mark(*now) : Marks::patch_to_release(*now));
    if (!patched && patched.error().code == ErrorCode::conflict) continue;
    if (!patched) return fail(patched.error());
    journal_->marks().note(stored, *patched);
    return {};
  }
}

// A write whose response was lost on its way is not in the journal.
void Run::check_marks() {
  for (const StoredKey& key : journal_->marks().keys()) {
    if (const auto missing = journal_->marks().missing(key, stored(key))) {
      journal_->violate(Oracle::nothing_foreign,
                        key.to_string() + " has lost " + *missing + ", which another program " + "has set");
    }
  }
}

void Run::forget_missing_marks() {
  for (const StoredKey& key : journal_->marks().keys()) {
    const Object now = stored(key);
    now ? journal_->marks().note(key, now) : journal_->marks().forget(key);
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

void Run::tear_down() {
  added_ = added_by_users();
  // The deletion of objects without a finalizer of another program would show less.
  const bool has_marks = !journal_->marks().keys().empty();
  for (const json::Value& object : objects_) {
    if (has_marks) mark(Object(object).group_version_kind(), Object(object).key(), 5s);
    journal_->note("user", "deletes " + Object(object).describe());
    (void)user().remove(Object(object).group_version_kind(), Object(object).key());
  }
  for (const StoredObject& added : added_) {
    journal_->note("user", "deletes " + added.object.describe());
    (void)user().remove(added.object.group_version_kind(), added.object.key());
  }
  if (!wait_until_idle("the deletion of its objects")) return;
  check_nothing_left();
  check_invariants(true);
}

// The objects of the reconciled kinds that exist now, except those of the machinery: the journal does not contain which
// of them an instance has created.
std::vector<StoredObject> Run::reconciled_objects() {
  std::set<std::string> resources;
  for (const GroupVersionKind& kind : reconciled_) {
    if (const auto resource = user().resource(kind)) resources.insert(resource->to_string());
  }
  std::vector<StoredObject> found;
  for (const std::string& resource : resources) {
    if (is_of_the_machinery(resource)) continue;
    for (const Object& object : simulation_.server().objects(resource)) {
      found.push_back({.resource = resource, .object = object});
    }
  }
  return found;
}

// The objects that the operator reconciles, that edits have created, and that still exist.
std::vector<StoredObject> Run::added_by_users() {
  std::set<StoredKey> known = journal_->surroundings();
  known.insert(journal_->created().begin(), journal_->created().end());
  for (const StoredObject& one : before_) known.insert({.resource = one.resource, .key = one.object.key()});
  for (const json::Value& object : objects_) {
    if (const auto resource = user().resource(Object(object).group_version_kind())) {
      known.insert({.resource = resource->to_string(), .key = Object(object).key()});
    }
  }
  std::vector<StoredObject> added = reconciled_objects();
  std::erase_if(added, [&](const StoredObject& one) {
    return known.contains({.resource = one.resource, .key = one.object.key()});
  });
  return added;
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
