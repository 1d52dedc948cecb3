// SPDX-License-Identifier: Apache-2.0
#include "sent_type.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/utf8.hpp>

#include "apiserver/call/undecodable.hpp"
#include "apiserver/registry/table/table.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

std::string_view group_part(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
}

// The registry of Go types that decodes bodies of a group, as messages name it.
std::string_view scheme_of(std::string_view group) {
  if (group == "apiextensions.k8s.io") return "pkg/apiserver/apiserver.go:55";
  if (group == "apiregistration.k8s.io") return "pkg/apiserver/scheme/scheme.go:28";
  return "pkg/api/legacyscheme/scheme.go:30";
}

// Kinds that no resource in the table has.
bool is_other_kind(const TypeName& type) {
  static constexpr std::pair<std::string_view, std::string_view> others[] = {
      {"v1", "Binding"},
      {"autoscaling/v1", "Scale"},
      {"policy/v1", "Eviction"},
      {"authentication.k8s.io/v1", "TokenRequest"},
  };
  return std::ranges::find(others, std::pair(type.api_version, type.kind)) != std::end(others);
}

bool is_registered(const TypeName& type, std::string_view scheme) {
  const std::string_view group = group_part(type.api_version);
  if (scheme_of(group) != scheme) return false;
  const auto kinds = builtin_kinds();
  return is_other_kind(type) || std::ranges::any_of(kinds, [&](const KindFacts& one) {
           return one.group == group && one.version == version_in(type.api_version) && one.kind == type.kind;
         });
}

// The Go package of the types in which kube-apiserver keeps the objects of a group.
std::string_view package_of(std::string_view group) {
  if (group.empty() || group == "events.k8s.io") return "core";
  return group.substr(0, group.find('.'));
}

bool are_one_kind(const TypeName& a, const TypeName& b) {
  return a.kind == b.kind && package_of(group_part(a.api_version)) == package_of(group_part(b.api_version));
}

Refusal unfit_body(const TypeName& given, std::string_view wanted_kind, std::string_view why) {
  return bad_request(fmt::format("{} in version \"{}\" cannot be handled as a {}: {}", given.kind,
                                 version_in(given.api_version), wanted_kind, why));
}

Refusal other_version(std::string_view given, std::string_view wanted) {
  return bad_request(
      fmt::format("the API version in the data ({}) does not match the expected API version ({})", given, wanted));
}

TypeName type_in(const Value& body) {
  return {.api_version = text_at(body, "/apiVersion"), .kind = text_at(body, "/kind")};
}

// A custom resource has no default type.
StatusOr<void> check_custom_type(const Call& call, const Value& body, FieldValidation validation) {
  const Resource& resource = *call.resource;
  const std::string wanted = resource.api_version();
  const TypeName given = type_in(body);
  if (given.kind.empty()) {
    const std::string why = fmt::format("Object 'Kind' is missing in '{}'", sanitize_utf8(call.request.body));
    if (validation != FieldValidation::ignore) return refuse(unrecognized(resource.kind, why, call.request.body));
    const TypeName named{.api_version = given.api_version.empty() ? std::string_view(wanted) : given.api_version,
                         .kind = resource.kind};
    return refuse(unfit_body(named, resource.kind, why));
  }
  return given.api_version == wanted ? StatusOr<void>() : refuse(other_version(given.api_version, wanted));
}

}  // namespace

std::string_view version_in(std::string_view api_version) { return api_version.substr(api_version.find('/') + 1); }

std::string conversion_fault(const TypeName& given, const TypeName& wanted) {
  const std::string_view scheme = scheme_of(group_part(wanted.api_version));
  if (!is_registered(given, scheme)) {
    return fmt::format("no kind \"{}\" is registered for version \"{}\" in scheme \"{}\"", given.kind,
                       given.api_version, scheme);
  }
  if (are_one_kind(given, wanted)) return {};
  return fmt::format("converting ({}.{}) to ({}.{}): unknown conversion", version_in(given.api_version), given.kind,
                     package_of(group_part(wanted.api_version)), wanted.kind);
}

StatusOr<void> check_builtin_type(const Value& body, const TypeName& wanted) {
  TypeName given = type_in(body);
  if (given.kind.empty()) given.kind = wanted.kind;
  if (given.api_version.empty()) given.api_version = wanted.api_version;
  if (given.kind == wanted.kind && given.api_version == wanted.api_version) return {};
  if (const std::string why = conversion_fault(given, wanted); !why.empty())
    return refuse(unfit_body(given, wanted.kind, why));
  return refuse(other_version(given.api_version, wanted.api_version));
}

StatusOr<void> check_sent_type(const Call& call, const Value& body, FieldValidation validation) {
  if (call.resource->custom) return check_custom_type(call, body, validation);
  const std::string api_version = call.resource->api_version();
  return check_builtin_type(body, {.api_version = api_version, .kind = call.resource->kind});
}

StatusOr<void> check_patched_type(const Value& patched, const Resource& resource, const Unfit& unfit) {
  TypeName given = type_in(patched);
  if (resource.custom) {
    if (given.kind.empty())
      return refuse(unfit(patched, fmt::format("Object 'Kind' is missing in '{}'", json::print(patched))));
    if (given.api_version.empty())
      return refuse(internal_failure("Object 'apiVersion' is missing in 'unstructured object has no version'"));
    return check_type(patched, resource);
  }
  const std::string wanted = resource.api_version();
  if (given.kind.empty()) given.kind = resource.kind;
  if (given.api_version.empty()) given.api_version = wanted;
  if (given.kind == resource.kind && given.api_version == wanted) return {};
  const std::string why = conversion_fault(given, {.api_version = wanted, .kind = resource.kind});
  return why.empty() ? check_type(patched, resource) : refuse(unfit(patched, why));
}

}  // namespace pintle::apiserver
