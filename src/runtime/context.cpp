#include <pintle/runtime/context.hpp>

#include <utility>

#include <pintle/object/selector.hpp>

#include "pass.hpp"

namespace pintle {
namespace {

struct Selection {
  LabelSelector labels{};
  FieldSelector fields{};
};

Result<Selection> selection_of(const ListOptions& options) {
  auto labels = LabelSelector::parse(options.label_selector);
  if (!labels) return fail(std::move(labels.error()));
  auto fields = FieldSelector::parse(options.field_selector);
  if (!fields) return fail(std::move(fields.error()));
  return Selection{std::move(*labels), std::move(*fields)};
}

// All pages, and the version they are of.
Result<ObjectList> list_all(Client& client, const GroupVersionKind& kind, ListOptions page,
                            const std::stop_token& stop) {
  ObjectList all;
  do {
    auto found = client.list(kind, page, stop);
    if (!found) return found;
    for (Object& object : found->items) all.items.push_back(std::move(object));
    all.resource_version = std::move(found->resource_version);
    page.continue_ = std::move(found->continue_);
    page.resource_version.clear();  // the token holds it, and a server refuses both
    page.resource_version_match.clear();
  } while (!page.continue_.empty());
  return all;
}

// Trap 78. The garbage collector takes an owner in another namespace for one that is gone, and deletes what it owned.
Result<void> check_owners(const Object& child, const Object& owner) {
  bool has_controller = false;
  for (const json::View reference : child.owner_references().elements()) {
    if (reference.member("controller") == true && std::exchange(has_controller, true)) {
      return fail(ErrorCode::invalid, "metadata.ownerReferences names two controllers; keep one of them");
    }
    const bool is_it = reference.member("uid") == owner.uid();
    if (is_it && !owner.namespace_().empty() && owner.namespace_() != child.namespace_()) {
      return fail(ErrorCode::invalid,
                  "it cannot be owned by " + std::string(owner.kind()) + " " + owner.key().to_string() +
                      ", which is in another namespace: set metadata.namespace to " + std::string(owner.namespace_()) +
                      ", or leave the owner reference out and finalize it");
    }
  }
  return {};
}

std::string describe(const Object& object) {
  return object.group_version_kind().to_string() + " " + object.key().to_string();
}

}  // namespace

Informer* Context::Pass::informer(const GroupVersionKind& kind, std::string_view namespace_) const {
  const auto watched = informers.find(kind);
  if (watched == informers.end()) return nullptr;
  const InformerOptions& options = watched->second->options();
  const bool covers = options.namespace_.empty() || namespace_.empty() || options.namespace_ == namespace_;
  return covers ? watched->second : nullptr;
}

Result<Object> Context::Pass::noted(Result<Object> answer) {
  if (answer && status) status->saw(*answer);
  return answer;
}

Result<Object> Context::apply_value(const json::Value& intent, ApplyOptions options) {
  const Object wanted{json::Value(intent)};
  const std::string doing = "apply " + describe(wanted);
  if (wanted.name().empty() || wanted.kind().empty()) {
    return Result<Object>(fail(ErrorCode::invalid, "an intent needs apiVersion, kind and metadata.name")).during(doing);
  }
  if (auto good = check_owners(wanted, pass_.object); !good) {
    return Result<Object>(fail(std::move(good.error()))).during(doing);
  }
  const Informer* informer = pass_.informer(wanted.group_version_kind(), wanted.namespace_());
  const Object cached = informer == nullptr ? Object() : informer->store().get(wanted.key());
  return pass_.applier.apply(pass_.object.key(), intent, options, informer == nullptr ? nullptr : &cached, pass_.stop)
      .during(doing);
}

Result<Object> Context::patch_value(const GroupVersionKind& kind, const ObjectKey& key,
                                    const json::Value& merge_patch) {
  return pass_.noted(pass_.client.patch(kind, key, merge_patch, {.field_manager = pass_.field_manager}, pass_.stop));
}

Result<Object> Context::json_patch(const GroupVersionKind& kind, const ObjectKey& key, const json::Patch& patch) {
  return pass_.noted(pass_.client.patch(kind, key, patch, {.field_manager = pass_.field_manager}, pass_.stop));
}

Result<Object> Context::patch(const Object& object, const json::Value& merge_patch) {
  return patch_value(object.group_version_kind(), object.key(), merge_patch);
}

Result<Object> Context::create(const json::Value& object) {
  const Object wanted{json::Value(object)};
  if (auto good = check_owners(wanted, pass_.object); !good) {
    return Result<Object>(fail(std::move(good.error()))).during("create " + describe(wanted));
  }
  return pass_.client.create(object, {.field_manager = pass_.field_manager}, pass_.stop);
}

Result<Object> Context::get(const GroupVersionKind& kind, const ObjectKey& key) {
  const Informer* informer = pass_.informer(kind, key.namespace_);
  if (informer == nullptr) return pass_.client.get(kind, key, pass_.stop);
  if (Object object = informer->store().get(key)) return object;
  return fail(ErrorCode::not_found, informer->resource().to_string() + " \"" + key.name + "\" not found");
}

Result<std::vector<Object>> Context::list(const GroupVersionKind& kind, const ListOptions& options) {
  Informer* informer = pass_.informer(kind, options.namespace_);
  const bool wants_server = !options.resource_version.empty() || !options.continue_.empty();
  const auto doubt = informer == nullptr ? std::nullopt : informer->doubt();
  if (informer == nullptr || wants_server || doubt) {
    auto listed = list_all(pass_.client, kind, options, pass_.stop);
    if (!listed) return fail(std::move(listed.error()));
    if (doubt && !wants_server) informer->resolve(*doubt, listed->resource_version);
    return std::move(listed->items);
  }
  const auto selection = selection_of(options);
  if (!selection) return Result<std::vector<Object>>(fail(selection.error())).during("list " + kind.to_string());
  std::vector<Object> objects = informer->store().list(options.namespace_);
  std::erase_if(objects, [&](const Object& object) {
    return !selection->labels.matches(object.labels()) || !selection->fields.matches(object.root());
  });
  return objects;
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
StatusDraft& Context::status() {
  if (!pass_.status) pass_.status.emplace(pass_.object, runtime());
  return *pass_.status;
}

std::any& Context::slot_of(std::type_index type) { return pass_.slots[type]; }
Instant Context::deadline() const noexcept { return pass_.deadline; }
std::stop_token Context::stop_token() const noexcept { return pass_.stop; }
Runtime& Context::runtime() const noexcept { return pass_.client.transport().runtime(); }
const Log& Context::log() const noexcept { return pass_.log; }
Client& Context::client() const noexcept { return pass_.client; }

}  // namespace pintle
