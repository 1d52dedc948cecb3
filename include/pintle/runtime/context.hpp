// Context: what a reconcile works with: reads, writes, why it runs, and when it has to stop.
#pragma once

#include <any>
#include <concepts>
#include <stop_token>
#include <string>
#include <string_view>
#include <typeindex>
#include <vector>

#include <pintle/base/log.hpp>
#include <pintle/base/trace.hpp>
#include <pintle/client/client.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/object.hpp>
#include <pintle/runtime/children.hpp>
#include <pintle/runtime/reconcile_cause.hpp>

namespace pintle {

class StatusDraft;  // runtime/status_writer.hpp

struct ApplyOptions {
  bool adopt = false;  // take an object over that exists and is not controlled by the owner the intent names
};

enum class EventType { normal, warning };

// One a pass; used by the thread of that pass alone. Every call that waits ends with `cancelled` once stop is
// requested.
class Context {
 public:
  class Pass;  // what the controller fills in

  explicit Context(Pass& pass) : pass_(pass) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // Makes an object be as the intent says, by server-side apply as field manager "<manager>/<controller>", and answers
  // what the server holds. An intent with a controller reference is a child: fields other managers own are taken over,
  // and an object that exists without that reference is refused (not_ours, naming who manages it) unless adopt is set.
  // Nothing is sent when the intent equals the last one sent for it and the local copy of the child still contains it.
  template <Described T>
  Result<T> apply(const T& intent, ApplyOptions options = {}) {
    auto applied = apply_value(encode_for_apply(intent), options);
    if (!applied) return fail(std::move(applied.error()));
    return decode<T>(*applied);
  }
  Result<Object> apply(const json::Value& intent, ApplyOptions options = {}) { return apply_value(intent, options); }

  // Applies children of the object of this pass, each as above, in the order they name: one that comes after others
  // waits until those are ready. Once all have been applied, what was applied for this object before and is no longer
  // in the set is removed, if the object still is its controller. Members and parent are marked as an apply set
  // (KEP-3659): labels and annotations of applyset.kubernetes.io, which needs the right to patch the object of the
  // pass. A set with faults (see ChildSet::in_order) fails the pass for good, before anything is sent.
  AppliedChildren apply(const ChildSet& children);

  // A merge patch of an object; with a json::Patch, that patch.
  Result<Object> patch(const Object& object, const json::Value& merge_patch);
  template <std::same_as<json::Patch> P>
  Result<Object> patch(const Object& object, const P& patch) {
    return json_patch(object.group_version_kind(), object.key(), patch);
  }
  template <Described T>
  Result<T> patch(const T& object, const json::Value& merge_patch) {
    auto patched = patch_value(T::type, object.metadata.key(), merge_patch);
    if (!patched) return fail(std::move(patched.error()));
    return decode<T>(*patched);
  }

  // Makes a new object, as the same field manager. One with metadata.generateName is named by the server; list() then
  // shows it, so that no second one is made. When the answer is lost it may have been made all the same: the pass
  // should fail, and a list() in the next one asks the server. Error: already_exists.
  Result<Object> create(const json::Value& object);
  template <Described T>
  Result<T> create(const T& object) {
    auto created = create(encode(object));
    if (!created) return fail(std::move(created.error()));
    return decode<T>(*created);
  }

  // From the local copy when the controller watches the kind or owns it, else from the server. The copy has what this
  // operator has written. Error: not_found.
  Result<Object> get(const GroupVersionKind& kind, const ObjectKey& key);
  template <Described T>
  Result<T> get(const ObjectKey& key) {
    auto object = get(T::type, key);
    if (!object) return fail(std::move(object.error()));
    return decode<T>(*object);
  }

  // All objects that the namespace and the selectors of the options choose; from the local copy, without a request and
  // in order of their keys, when the controller watches the kind or owns it, and then of those it watches. The copy has
  // what this operator has written and lacks what it has removed. From the server when it does not, and when the
  // options name a resourceVersion.
  Result<std::vector<Object>> list(const GroupVersionKind& kind, const ListOptions& options = {});
  template <Described T>
  Result<std::vector<T>> list(const ListOptions& options = {}) {
    auto objects = list(T::type, options);
    if (!objects) return fail(std::move(objects.error()));
    std::vector<T> decoded;
    decoded.reserve(objects->size());
    for (const Object& object : *objects) {
      auto one = decode<T>(object);
      if (!one) return fail(std::move(one.error()));
      decoded.push_back(std::move(*one));
    }
    return decoded;
  }

  // Deletes an object; one that is not there is success.
  Result<void> remove(const GroupVersionKind& kind, const ObjectKey& key);
  Result<void> remove(const Object& object) { return remove(object.group_version_kind(), object.key()); }
  template <Described T>
  Result<void> remove(const T& object) {
    return remove(T::type, object.metadata.key());
  }

  // What to say about the object of this pass; written once, when the pass ends, also when it failed.
  [[nodiscard]] StatusDraft& status();

  // Tells people: an Event about the object of this pass, sent in the background. Never fails the pass; dropped, and
  // counted, when too many wait.
  void event(EventType type, std::string_view reason, std::string_view note);

  // Why this pass runs; at least one.
  [[nodiscard]] const std::vector<ReconcileCause>& causes() const noexcept;

  // A value of this type that lives as long as the pass, made when it is first asked for; to hand things from one step
  // of a pass to another.
  template <class T>
  [[nodiscard]] T& slot() {
    std::any& place = slot_of(typeid(T));
    if (!place.has_value()) place.emplace<T>();
    return *std::any_cast<T>(&place);
  }

  // Requested when the operator stops, and at the deadline.
  [[nodiscard]] std::stop_token stop_token() const noexcept;
  // When the controller's timeout ends this pass; Instant::max() when it has none.
  [[nodiscard]] Instant deadline() const noexcept;
  [[nodiscard]] Runtime& runtime() const noexcept;
  [[nodiscard]] const Log& log() const noexcept;
  // The span of this pass, for more attributes and events; one that forgets them when nobody traces.
  [[nodiscard]] Span& span() noexcept;
  // The client of the cluster, for whatever is not above.
  [[nodiscard]] Client& client() const noexcept;

 private:
  [[nodiscard]] std::any& slot_of(std::type_index type);
  Result<Object> apply_value(const json::Value& intent, ApplyOptions options);
  Result<Object> patch_value(const GroupVersionKind& kind, const ObjectKey& key, const json::Value& merge_patch);
  Result<Object> json_patch(const GroupVersionKind& kind, const ObjectKey& key, const json::Patch& patch);

  Pass& pass_;
};

}  // namespace pintle
