// SPDX-License-Identifier: Apache-2.0
#include "revisions.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "apiserver/registry/values.hpp"
#include "cluster_values.hpp"

namespace pintle::apiserver {
namespace {

constexpr std::string_view revisions = "controllerrevisions.apps";

std::string name_of_revision(const Object& owner, std::string_view hash) {
  return fmt::format("{}-{}", owner.name(), hash);
}

}  // namespace

std::string current_revision(ClusterObjects& objects, const Object& owner) {
  std::string hash = hash_name(owner["/spec/template"]);
  const std::string name = name_of_revision(owner, hash);
  std::int64_t newest = 0;
  Object own;
  for (const Object& revision : objects.owned_by(owner, revisions)) {
    newest = std::max(newest, integer_at(revision, "/revision"));
    if (revision.name() == name) own = revision;
  }
  if (!own) {
    json::Value pod_template = owner["/spec/template"].to_value();
    pod_template.get_object()["$patch"] = "replace";
    objects.create(
        revisions, owner.namespace_(),
        json::object{{"metadata", json::object{{"name", name},
                                               {"labels", json::object{{revision_label, hash}}},
                                               {"ownerReferences", json::array{reference_to_controller(owner)}}}},
                     {"data", json::object{{"spec", json::object{{"template", std::move(pod_template)}}}}},
                     {"revision", newest + 1}});
  } else if (integer_at(own, "/revision") != newest) {
    objects.edit(revisions, own, [&](json::Value& next) { next.get_object()["revision"] = newest + 1; });
  }
  return hash;
}

json::Value template_of(const ClusterObjects& objects, const Object& owner, std::string_view hash) {
  const Object revision =
      objects.get({std::string(revisions), storage_key(owner.namespace_(), name_of_revision(owner, hash))});
  const json::View found = revision["/data/spec/template"];
  json::Value out = (found.exists() ? found : owner["/spec/template"]).to_value();
  out.as_object().erase("$patch");
  return out;
}

void remove_revisions(ClusterObjects& objects, const Object& owner, const std::set<std::string>& used) {
  std::vector<Object> unused = objects.owned_by(owner, revisions);
  std::erase_if(unused, [&](const Object& one) { return used.contains(std::string(one.label(revision_label))); });
  const auto limit =
      static_cast<std::size_t>(std::max<std::int64_t>(integer_at(owner, "/spec/revisionHistoryLimit", 10), 0));
  if (unused.size() <= limit) return;
  std::sort(unused.begin(), unused.end(),
            [](const Object& a, const Object& b) { return integer_at(a, "/revision") < integer_at(b, "/revision"); });
  unused.resize(unused.size() - limit);
  for (const Object& one : unused) objects.remove(revisions, one);
}

}  // namespace pintle::apiserver
