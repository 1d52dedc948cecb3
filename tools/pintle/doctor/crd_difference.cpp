// SPDX-License-Identifier: Apache-2.0
#include "doctor/crd_difference.hpp"

#include <fmt/format.h>

#include <pintle/json/difference.hpp>
#include <pintle/object/schema/crd.hpp>

namespace pintle::doctor {
namespace {

constexpr std::size_t max_compared = 1'000;  // differences of a version

// Returns whether a server treats this value as a missing one. In these places, the value has a meaning.
bool means_missing(json::View value, const std::string& pointer) {
  const auto last = pointer.rfind('/');
  const auto parent = last == 0 ? std::string::npos : pointer.rfind('/', last - 1);
  if (pointer.substr(last) == "/default") return false;
  const std::string above =
      parent == std::string::npos ? pointer.substr(0, last) : pointer.substr(parent, last - parent);
  if (above == "/properties" || above == "/subresources") return false;
  const bool is_empty = (value.is_object() || value.is_array()) && value.empty();
  return is_empty || value == false || value == "";
}

}  // namespace

CrdDifferences compare_crds(json::View installed, json::View printed, std::size_t max_pointers) {
  CrdDifferences found;
  const json::View versions = printed["/spec/versions"];
  for (const json::View ours : versions.elements()) {
    const std::string_view name = ours.member("name").text();
    const json::View theirs = CrdView(installed).version(name);
    if (!theirs) continue;
    for (const std::string& pointer : json::changed_pointers(theirs, ours, max_compared)) {
      if (pointer == "/served" || pointer == "/storage") continue;  // reported by themselves
      const json::View before = theirs[pointer];
      const json::View after = ours[pointer];
      if (!before && means_missing(after, pointer)) continue;
      if (!after && means_missing(before, pointer)) continue;
      found.is_lossy = found.is_lossy || after.exists();
      if (found.pointers.size() == max_pointers) {
        found.has_more = true;
      } else {
        found.pointers.push_back(fmt::format("{}: {}", name, pointer));
      }
    }
  }
  return found;
}

}  // namespace pintle::doctor
