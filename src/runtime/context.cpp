#include <pintle/runtime/context.hpp>

#include "pass.hpp"

namespace pintle {

Result<Object> Context::apply_value(const json::Value& intent, ApplyOptions options) {
  const Object wanted{json::Value(intent)};
  const std::string doing = "apply " + wanted.group_version_kind().to_string() + " " + wanted.key().to_string();
  if (wanted.name().empty() || wanted.kind().empty()) {
    return Result<Object>(fail(ErrorCode::invalid, "an intent needs apiVersion, kind and metadata.name")).during(doing);
  }
  const auto watched = pass_.informers.find(wanted.group_version_kind());
  Object cached;
  if (watched != pass_.informers.end()) cached = watched->second->store().get(wanted.key());
  return pass_.applier
      .apply(pass_.object.key(), intent, options, watched != pass_.informers.end() ? &cached : nullptr, pass_.stop)
      .during(doing);
}

Result<Object> Context::patch_value(const GroupVersionKind& kind, const ObjectKey& key,
                                    const json::Value& merge_patch) {
  return pass_.client.patch(kind, key, merge_patch, {.field_manager = pass_.field_manager}, pass_.stop);
}

Result<Object> Context::json_patch(const GroupVersionKind& kind, const ObjectKey& key, const json::Patch& patch) {
  return pass_.client.patch(kind, key, patch, {.field_manager = pass_.field_manager}, pass_.stop);
}

Result<Object> Context::patch(const Object& object, const json::Value& merge_patch) {
  return patch_value(object.group_version_kind(), object.key(), merge_patch);
}

Result<Object> Context::get(const GroupVersionKind& kind, const ObjectKey& key) {
  const auto watched = pass_.informers.find(kind);
  if (watched == pass_.informers.end()) return pass_.client.get(kind, key, pass_.stop);
  if (Object object = watched->second->store().get(key)) return object;
  return fail(ErrorCode::not_found, watched->second->resource().to_string() + " \"" + key.name + "\" not found");
}

Result<void> Context::remove(const GroupVersionKind& kind, const ObjectKey& key) {
  const auto removed = pass_.client.remove(kind, key, {}, pass_.stop);
  if (!removed) return fail(removed.error());
  return {};
}

void Context::event(EventType type, std::string_view reason, std::string_view note) {
  pass_.events.record(pass_.object, type, "Reconcile", reason, note);
}

const std::vector<ReconcileCause>& Context::causes() const noexcept { return pass_.causes; }
std::stop_token Context::stop_token() const noexcept { return pass_.stop; }
Runtime& Context::runtime() const noexcept { return pass_.client.transport().runtime(); }
const Log& Context::log() const noexcept { return pass_.log; }
Client& Context::client() const noexcept { return pass_.client; }

}  // namespace pintle
