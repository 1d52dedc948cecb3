// SPDX-License-Identifier: Apache-2.0
#include "security_rules.hpp"

#include <cstdint>
#include <initializer_list>
#include <limits>

#include <fmt/format.h>

#include "../../cells.hpp"
#include "apiserver/registry/names/name_rules.hpp"
#include "apiserver/registry/refusal.hpp"
#include "path_rules.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

using Causes = std::vector<StatusCause>;

constexpr std::int64_t highest_id = std::numeric_limits<std::int32_t>::max();

void validate_ids(View context, std::initializer_list<const char*> names, const std::string& field, Causes& causes) {
  for (const char* name : names) {
    const View id = context.member(name);
    if (!id.exists()) continue;
    const std::int64_t number = integer_cell(id);
    add_errors(fmt::format("{}.{}", field, name), number, range_errors(number, 0, highest_id), causes);
  }
}

// A profile of seccomp or AppArmor.
void validate_profile(View profile, std::string_view name, std::string_view what, const std::string& field,
                      Causes& causes) {
  if (!profile.exists()) return;
  const std::string_view type = profile.member("type").text();
  const View file = profile.member("localhostProfile");
  const std::string at = field + ".localhostProfile";
  if (type.empty()) causes.push_back(required(field + ".type", fmt::format("type is required when {} is set", name)));
  if (type == "Localhost") {
    if (!file.exists()) {
      causes.push_back(required(at, fmt::format("must be set when {} type is Localhost", what)));
    } else if (what == "seccomp") {
      validate_descending_path(file.text(), at, causes);
    }
  } else if (file.exists()) {
    const Value shown = what == "seccomp" ? profile.to_value() : file.to_value();
    causes.push_back(invalid_value(at, shown, fmt::format("can only be set when {} type is Localhost", what)));
  }
}

void validate_profiles(View context, const std::string& field, Causes& causes) {
  validate_profile(context.member("seccompProfile"), "seccompProfile", "seccomp", field + ".seccompProfile", causes);
  validate_profile(context.member("appArmorProfile"), "appArmorProfile", "AppArmor", field + ".appArmorProfile",
                   causes);
}

}  // namespace

void validate_pod_security(View context, const std::string& field, Causes& causes) {
  validate_ids(context, {"fsGroup", "runAsUser", "runAsGroup"}, field, causes);
  std::size_t i = 0;
  for (const View id : context.member("supplementalGroups").elements()) {
    const std::int64_t number = integer_cell(id);
    add_errors(fmt::format("{}.supplementalGroups[{}]", field, i++), number, range_errors(number, 0, highest_id),
               causes);
  }
  validate_profiles(context, field, causes);
}

void validate_container_security(View context, const std::string& field, Causes& causes) {
  validate_ids(context, {"runAsUser", "runAsGroup"}, field, causes);
  validate_profiles(context, field, causes);
  if (context.member("allowPrivilegeEscalation") == false && context.member("privileged") == true) {
    causes.push_back(invalid_value(field, context.to_value(),
                                   "cannot set `allowPrivilegeEscalation` to false and `privileged` to true"));
  }
}

}  // namespace pintle::apiserver
