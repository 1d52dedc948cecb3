// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/phased/list_phase.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <pintle/base/hash.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/object/bytes.hpp>
#include <pintle/object/owner.hpp>

namespace pintle::phased {
namespace {

std::string name_of_listed(const Object& object) { return std::string(object.kind()) + " " + object.key().to_string(); }

// The version is not included, so that an object is the same in another version of its kind.
std::string identity_of_listed(const Object& object) {
  return object.group_version_kind().group + "/" + name_of_listed(object);
}

// The objects that the phases of one reconcile expect.
struct PhaseClaims {
  std::map<std::string, std::string> phases{};  // names of phases, by the identity of the expected object
  std::set<std::string> marks{};                // the marks of the phases that have run
  std::map<std::string, Object> unclaimed{};    // objects that a phase found and did not expect, by identity
  std::set<std::string> stated{};               // names of the phases all of whose expected objects are in `phases`
  bool is_incomplete = false;                   // a phase failed before it was in `stated`
};

Result<void> claim(PhaseClaims& claims, const std::vector<json::Value>& expected, const std::string& phase) {
  claims.marks.insert(phase_label_value(phase));
  for (const json::Value& one : expected) {
    const Object object(one);
    const auto [claimed, is_new] = claims.phases.emplace(identity_of_listed(object), phase);
    if (is_new || claimed->second == phase) continue;
    return fail(ErrorCode::invalid, name_of_listed(object) + " is expected by the phases \"" + claimed->second +
                                        "\" and \"" + phase + "\": let only one of them expect it");
  }
  claims.stated.insert(phase);
  return {};
}

// The phase could neither create such an object for the reconciled one nor find it again.
Result<void> check_controller(const Object& expected, const OwnerReference& controller) {
  for (const json::View reference : expected.owner_references().elements()) {
    if (reference.member("controller") != true || reference.member("uid") == controller.uid) continue;
    return fail(ErrorCode::invalid, name_of_listed(expected) + " is expected with another controller, " +
                                        std::string(reference.member("kind").text()) + " " +
                                        std::string(reference.member("name").text()) +
                                        ": remove `controller` from this owner reference");
  }
  return {};
}

// The server stores the texts of a Secret in `data`, so `stringData` would differ in each diff.
void encode_texts_of_secret(json::Value& expected) {
  const GroupVersionKind kind = Object(expected).group_version_kind();
  const json::Value* texts = json::find(expected, "/stringData");
  if (kind.kind != "Secret" || !kind.group.empty() || texts == nullptr || !texts->is_object()) return;
  const json::object all = texts->get_object();
  const auto is_text = [](const auto& member) { return member.value().is_string(); };
  if (!std::all_of(all.begin(), all.end(), is_text)) return;
  json::erase(expected, "/stringData");
  for (const auto& [name, text] : all) {
    const Bytes bytes{std::string(text.get_string())};
    (void)json::set(expected, "/data/" + json::escape_token(name), json::Value(bytes.to_base64()));
  }
}

std::uint64_t hash_of_update(const ObjectUpdate& update) {
  constexpr std::uint64_t seed = 0x5bd1e9955bd1e995U;
  const std::uint64_t version = hash_of(update.current.resource_version(), hash_of(update.current.uid(), seed));
  return hash_of(json::print(update.patch), version);
}

// Keeps only the objects whose controller is the owner, each of them once.
void keep_controlled(std::vector<Object>& objects, const std::string& owner_uid) {
  std::set<std::string, std::less<>> seen;
  std::erase_if(objects, [&](const Object& one) {
    const auto controller = controller_of(one);
    return !controller || controller->uid != owner_uid || !seen.emplace(one.uid()).second;
  });
}

// Records one Event for all objects that a step changed, because Events that differ only in the note are counted as one
// (docs/internals/events.md, "Occurrences that differ only in the note are one Event").
class EventOfStep {
 public:
  EventOfStep(Context& context, std::string_view reason) : context_(context), reason_(reason) {}
  ~EventOfStep() {
    if (!names_.empty()) context_.event(EventType::normal, reason_, names_);
  }
  EventOfStep(const EventOfStep&) = delete;
  EventOfStep& operator=(const EventOfStep&) = delete;

  void add(const Object& object) { names_ += (names_.empty() ? "" : ", ") + name_of_listed(object); }

 private:
  Context& context_;
  const std::string_view reason_;
  std::string names_;
};

}  // namespace

Outcome ObjectLists::find(Context& context, const GroupVersionKind& kind, const CacheListOptions& options) {
  auto found = context.list(kind, options);
  if (!found) return failed(std::move(found.error()));
  current.insert(current.end(), found->begin(), found->end());
  return done;
}

bool UpdatesWithoutEffect::contains(const ObjectUpdate& update) const {
  const std::uint64_t hash = hash_of_update(update);
  return hashes_[hash % max_updates].load(std::memory_order_relaxed) == hash;
}

void UpdatesWithoutEffect::add(const ObjectUpdate& update) {
  const std::uint64_t hash = hash_of_update(update);
  hashes_[hash % max_updates].store(hash, std::memory_order_relaxed);
}

Result<K8sDiff> diff_listed(ObjectLists& lists, const ListOwner& owner, const DiffOptions& ignore,
                            const UpdatesWithoutEffect& without_effect, Context& context) {
  keep_controlled(lists.current, owner.controller.uid);
  const std::string label = "/metadata/labels/" + json::escape_token(std::string(phase_label));
  for (json::Value& one : lists.expected) {
    if (auto fits = check_controller(Object(one), owner.controller); !fits) {
      return fail(std::move(fits.error()).terminal());
    }
    json::erase(one, label);
    encode_texts_of_secret(one);
  }
  auto diff = diff_lists(lists.expected, lists.current, ignore, phase_label_value(owner.phase));
  if (!diff) return fail(std::move(diff.error()).terminal());
  PhaseClaims& claims = context.slot<PhaseClaims>();
  if (auto claimed = claim(claims, lists.expected, owner.phase); !claimed) {
    return fail(std::move(claimed.error()).terminal());
  }
  for (const Object& one : diff->unclaimed) claims.unclaimed.emplace(identity_of_listed(one), one);
  // An earlier phase expects the object, and its mark is not set yet.
  std::erase_if(diff->remove, [&](const Object& one) { return claims.phases.contains(identity_of_listed(one)); });
  if (claims.is_incomplete) diff->remove.clear();
  std::erase_if(diff->update, [&](const ObjectUpdate& one) { return without_effect.contains(one); });
  lists.diff = std::move(*diff);
  return lists.diff.summary();
}

void defer_removals_after(const std::string& failed_phase, Context& context) {
  PhaseClaims& claims = context.slot<PhaseClaims>();
  if (!claims.stated.contains(failed_phase)) claims.is_incomplete = true;
}

void report_unclaimed(Context& context) {
  const PhaseClaims& claims = context.slot<PhaseClaims>();
  std::string names;
  for (const auto& [identity, object] : claims.unclaimed) {
    const bool is_made_by_phase = !object.annotation(last_applied_annotation).empty();
    const bool has_phase = claims.marks.contains(std::string(object.label(phase_label)));
    if (!is_made_by_phase || has_phase || claims.phases.contains(identity)) continue;
    names += (names.empty() ? "" : ", ") + name_of_listed(object);
  }
  if (names.empty()) return;
  context.event(EventType::warning, "UnclaimedObjects",
                names + ": created by a phase, but no phase expects them any more; delete them, or set their label " +
                    std::string(phase_label) + " to the phase that must remove them");
}

Outcome create_listed(const ObjectLists& lists, const ListOwner& owner, Context& context) {
  EventOfStep event(context, "CreateCompleted");
  for (const json::Value& one : lists.diff.create) {
    auto created = context.create(with_controller_reference(
        with_phase(with_last_applied(one), phase_label_value(owner.phase)), owner.controller));
    if (!created && created.error().code == ErrorCode::already_exists) {
      created.error().message += "; it is not controlled by " + owner.controller.kind + " " + owner.controller.name +
                                 ", or read() of the phase " + owner.phase + " does not find() it";
    }
    if (!created) return failed(std::move(created.error()));
    event.add(*created);
  }
  return done;
}

Outcome update_listed(const ObjectLists& lists, UpdatesWithoutEffect& without_effect, Context& context) {
  EventOfStep event(context, "UpdateCompleted");
  for (const ObjectUpdate& one : lists.diff.update) {
    auto updated = context.patch(one.current, one.patch);
    if (!updated) return failed(std::move(updated.error()));
    if (updated->resource_version() == one.current.resource_version()) {
      without_effect.add(one);
    } else {
      event.add(one.current);
    }
  }
  return lists.diff.ending.empty() ? Outcome(done) : Outcome(requeue);
}

Outcome remove_listed(const ObjectLists& lists, Context& context) {
  EventOfStep event(context, "DeleteCompleted");
  for (const Object& one : lists.diff.remove) {
    // The uid limits the deletion to this object: another object of the same name may have replaced it since it was
    // read.
    const auto removed = context.client().remove(one.group_version_kind(), one.key(), {.uid = std::string(one.uid())},
                                                 context.stop_token());
    if (!removed) return failed(removed.error());
    event.add(one);
  }
  return done;
}

}  // namespace pintle::phased
