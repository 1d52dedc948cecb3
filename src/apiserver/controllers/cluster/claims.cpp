// SPDX-License-Identifier: Apache-2.0
#include "claims.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <pintle/object/selector.hpp>

#include "apiserver/registry/values.hpp"
#include "cluster_values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

bool has_controller(const Value& object) {
  const Value* references = json::find(object, "/metadata/ownerReferences");
  if (references == nullptr || !references->is_array()) return false;
  return std::any_of(references->get_array().begin(), references->get_array().end(), [](const Value& reference) {
    const Value* is_controller = member(reference, "controller");
    return is_controller != nullptr && *is_controller == Value(true);
  });
}

std::optional<Object> adopt(ClusterObjects& objects, const Object& owner, std::string_view collection,
                            const Object& orphan) {
  const Value reference = reference_to_controller(owner);
  auto adopted = objects.edit(collection, orphan, [&](Value& next) {
    if (has_controller(next) || !text_at(next, "/metadata/deletionTimestamp").empty()) return;
    Value& references = metadata_in(next)["ownerReferences"];
    if (!references.is_array()) references.emplace_array();
    references.get_array().push_back(reference);
  });
  if (!adopted || controller_of(*adopted).member("uid") != owner.uid()) return std::nullopt;
  return adopted;
}

void release(ClusterObjects& objects, const Object& owner, std::string_view collection, const Object& object) {
  objects.edit(collection, object, [&](Value& next) {
    Value* references = json::find(next, "/metadata/ownerReferences");
    if (references == nullptr || !references->is_array()) return;
    json::array& list = references->get_array();
    list.erase(std::remove_if(list.begin(), list.end(),
                              [&](const Value& reference) { return text_at(reference, "/uid") == owner.uid(); }),
               list.end());
    if (list.empty()) metadata_in(next).erase("ownerReferences");
  });
}

}  // namespace

bool selects(const Object& owner, const Object& object) {
  const json::View selector = owner["/spec/selector"];
  if (selector.empty()) return false;
  if (owner.kind() != "ReplicationController") {
    const auto parsed = LabelSelector::from_json(selector);
    return parsed && !parsed->empty() && parsed->matches(object.labels());
  }
  for (const auto [name, value] : selector.members()) {
    if (object.label(name) != value.text()) return false;
  }
  return true;
}

std::vector<Object> claimed_by(ClusterObjects& objects, const Object& owner, std::string_view collection,
                               const std::function<bool(const Object& orphan)>& may_adopt) {
  std::vector<Object> out;
  std::vector<Object> owned = objects.owned_by(owner, collection);
  if (owner["/spec/selector"].empty()) return owned;
  for (Object& object : owned) {
    if (controller_of(object).member("uid") != owner.uid()) continue;  // another client has just released it
    if (selects(owner, object)) {
      out.push_back(std::move(object));
    } else {
      release(objects, owner, collection, object);
    }
  }
  for (const Object& orphan : objects.orphans(collection, owner.namespace_())) {
    if (orphan.is_deleting() || controller_of(orphan).exists() || !selects(owner, orphan) ||
        (may_adopt && !may_adopt(orphan)))
      continue;
    if (auto adopted = adopt(objects, owner, collection, orphan)) out.push_back(std::move(*adopted));
  }
  return out;
}

}  // namespace pintle::apiserver
