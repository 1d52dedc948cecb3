// SPDX-License-Identifier: Apache-2.0
#include "enum_order.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <span>
#include <utility>

namespace pintle::apiserver {
namespace {

// The order of the checks of kube-apiserver.
constexpr std::array<std::string_view, 24> members_of_spec{"volumes",
                                                           "resourceClaims",
                                                           "containers",
                                                           "initContainers",
                                                           "ephemeralContainers",
                                                           "restartPolicy",
                                                           "dnsPolicy",
                                                           "nodeSelector",
                                                           "securityContext",
                                                           "imagePullSecrets",
                                                           "affinity",
                                                           "dnsConfig",
                                                           "readinessGates",
                                                           "schedulingGates",
                                                           "topologySpreadConstraints",
                                                           "serviceAccountName",
                                                           "nodeName",
                                                           "activeDeadlineSeconds",
                                                           "hostname",
                                                           "subdomain",
                                                           "tolerations",
                                                           "hostAliases",
                                                           "priorityClassName",
                                                           "runtimeClassName"};
constexpr std::array<std::string_view, 14> members_of_container{
    "name",         "image",         "terminationMessagePolicy", "ports",     "env",          "envFrom",
    "volumeMounts", "volumeDevices", "imagePullPolicy",          "resources", "resizePolicy", "securityContext",
    "lifecycle",    "livenessProbe"};

// The place of a cause in the order: the member of the spec, the container, and the member of the container.
struct CausePlace {
  std::size_t member = 0;
  std::size_t item = 0;
  std::size_t part = 0;

  friend auto operator<=>(const CausePlace&, const CausePlace&) = default;
};

std::string_view first_name(std::string_view path) { return path.substr(0, path.find_first_of(".[")); }

std::size_t index_in(std::span<const std::string_view> names, std::string_view name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

// `path`: below the spec, "containers[0].ports[0].protocol".
CausePlace place_of(std::string_view path) {
  const std::string_view member = first_name(path);
  CausePlace out{.member = index_in(members_of_spec, member)};
  path.remove_prefix(member.size());
  if (!path.starts_with('[')) return out;
  const auto [end, error] = std::from_chars(path.data() + 1, path.data() + path.size(), out.item);
  path.remove_prefix(std::min(static_cast<std::size_t>(end - path.data()) + 2, path.size()));  // "]."
  if (member.ends_with("ontainers") && !path.empty()) out.part = index_in(members_of_container, first_name(path));
  return out;
}

}  // namespace

void place_enum_causes(std::string_view spec, std::size_t enums, std::vector<StatusCause>& causes) {
  const auto below_spec = [&](const StatusCause& cause) {
    const std::string_view field = cause.field;
    return field.size() > spec.size() + 1 && field.starts_with(spec) && field[spec.size()] == '.';
  };
  const auto place = [&](const StatusCause& cause) {
    return place_of(std::string_view(cause.field).substr(spec.size() + 1));
  };
  const auto others = causes.begin() + static_cast<std::ptrdiff_t>(enums);
  const auto moved = std::stable_partition(causes.begin(), others, [&](const auto& one) { return !below_spec(one); });
  std::vector<StatusCause> wanted(std::make_move_iterator(moved), std::make_move_iterator(others));
  std::stable_sort(wanted.begin(), wanted.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
  std::vector<StatusCause> out(std::make_move_iterator(causes.begin()), std::make_move_iterator(moved));
  auto next = wanted.begin();
  for (auto other = others; other != causes.end(); ++other) {
    while (next != wanted.end() && (!below_spec(*other) || place(*next) <= place(*other)))
      out.push_back(std::move(*next++));
    out.push_back(std::move(*other));
  }
  out.insert(out.end(), std::make_move_iterator(next), std::make_move_iterator(wanted.end()));
  causes = std::move(out);
}

}  // namespace pintle::apiserver
