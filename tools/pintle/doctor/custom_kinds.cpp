// SPDX-License-Identifier: Apache-2.0
#include "doctor/custom_kinds.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <pintle/object/schema/crd.hpp>

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

}  // namespace

std::vector<CustomKind> custom_kinds(const CheckInput& input, Lines& lines) {
  std::vector<CustomKind> kinds;
  if (input.program) {
    for (const Object& crd : input.program->crds) add_kind(crd, kinds);
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
