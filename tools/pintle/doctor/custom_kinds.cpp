// SPDX-License-Identifier: Apache-2.0
#include "doctor/custom_kinds.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <pintle/object/schema/crd.hpp>

#include "doctor/access_rules.hpp"

namespace pintle::doctor {
namespace {

void add_kind(const Object& crd, std::vector<CustomKind>& kinds) {
  const CrdView view(crd.root());
  const std::vector<std::string> served = view.served_versions();
  if (served.empty()) return;
  std::string version(view.stored_version());
  if (std::ranges::find(served, version) == served.end()) version = served.front();
  kinds.push_back({.kind = GroupVersionKind(fmt::format("{}/{}", view.group(), version), view.kind()),
                   .plural = std::string(view.plural()),
                   .crd = std::string(view.name())});
}

using GroupResource = std::pair<std::string, std::string>;

// Returns the resources whose objects the program reconciles. It watches and patches them, and has no permission to
// create them, as it has for children; or it writes their status or finalizers. Secrets are not read.
std::vector<GroupResource> reconciled_resources(const std::vector<Object>& roles) {
  std::map<GroupResource, std::set<std::string>> verbs;  // also "status" and "finalizers"
  for (const Object& role : roles) {
    for (const Need& need : needs_of(role)) {
      if (!need.name.empty()) continue;  // of single objects, such as the CRDs of the program
      const auto slash = need.resource.find('/');
      auto& known = verbs[{need.group, need.resource.substr(0, slash)}];
      known.insert(slash == std::string::npos ? need.verb : need.resource.substr(slash + 1));
    }
  }
  std::vector<GroupResource> reconciled;
  for (const auto& [resource, known] : verbs) {
    const bool is_parent = known.contains("status") || known.contains("finalizers");
    const bool is_secret = resource == GroupResource("", "secrets");
    if (!known.contains("watch") || is_secret || resource.second == "*") continue;
    if (is_parent || (known.contains("patch") && !known.contains("create"))) reconciled.push_back(resource);
  }
  return reconciled;
}

// Adds the kinds whose CRDs the program does not print: built-in kinds, and those of other operators.
void add_kinds_of_roles(const CheckInput& input, std::vector<CustomKind>& kinds, Lines& lines) {
  for (const auto& [group, resource] : reconciled_resources(input.program->roles)) {
    const auto is_it = [&](const CustomKind& one) { return one.kind.group == group && one.plural == resource; };
    if (std::ranges::any_of(kinds, is_it)) continue;
    const std::string name = group.empty() ? resource : fmt::format("{}.{}", resource, group);
    const auto found = input.cluster.client().find_resource(name);
    if (!found) {
      lines.unreadable(name, found.error(), {group, resource});
      continue;
    }
    kinds.push_back({.kind = found->kind, .plural = resource, .crd = name});
  }
}

}  // namespace

std::vector<CustomKind> custom_kinds(const CheckInput& input, Lines& lines) {
  std::vector<CustomKind> kinds;
  if (input.program) {
    for (const Object& crd : input.program->crds) add_kind(crd, kinds);
    add_kinds_of_roles(input, kinds, lines);
    if (kinds.empty() && lines.empty()) {
      lines.skip("objects",
                 fmt::format("{} prints neither CRDs nor a role for a kind that it reconciles", input.program->command),
                 "run `pintle doctor` without the program to check the kinds of all CRDs");
    }
    return kinds;
  }
  const auto& crds = input.cluster.list(crd_type);
  if (!crds) {
    lines.unreadable("CRDs", crds.error(), {"apiextensions.k8s.io", "customresourcedefinitions"});
    return kinds;
  }
  for (const Object& crd : crds->objects) add_kind(crd, kinds);
  return kinds;
}

std::size_t for_each_kind(const CheckInput& input, Lines& lines,
                          const std::function<void(const CustomKind&, const Listing&)>& function) {
  std::size_t count = 0;
  for (const CustomKind& one : custom_kinds(input, lines)) {
    const auto& listing = input.cluster.list(one.kind);
    if (!listing) {
      lines.unreadable(one.kind.to_string(), listing.error(), one.rule("list"));
      continue;
    }
    count += listing->objects.size();
    function(one, *listing);
    if (listing->is_cut) {
      lines.skip(one.kind.to_string(), fmt::format("only the first {} objects were checked", listing->objects.size()),
                 "check the others by hand: `kubectl get " + one.crd + " --all-namespaces`");
    }
  }
  return count;
}

}  // namespace pintle::doctor
