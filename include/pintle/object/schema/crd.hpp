// SPDX-License-Identifier: Apache-2.0
// CRDs: creates the CustomResourceDefinitions of described structs, and checks and reads CustomResourceDefinitions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/json/document.hpp>
#include <pintle/object/fields.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/schema/schema.hpp>

namespace pintle {

enum class Scope { namespaced, cluster };
[[nodiscard]] PINTLE_EXPORT std::string_view to_string(Scope scope) noexcept;  ///< "Namespaced", "Cluster"

/// The names and the scope of a kind. Empty names are derived from the kind by the API conventions.
struct CrdNames {
  std::string plural{};
  std::string singular{};
  std::vector<std::string> short_names{};
  std::vector<std::string> categories{};
  Scope scope = Scope::namespaced;
  bool is_foreign = false;  ///< the CRD belongs to another operator
};

/// The annotation of a CRD that was derived from a foreign type. Such a CRD is an incomplete copy of the CRD of another
/// operator: the manager neither installs nor prints it.
inline constexpr std::string_view foreign_annotation = "pintle.dev/foreign";

/// The paths of the scale subresource, which `kubectl scale` and autoscalers use. Each is a JSON path below .spec or
/// .status that consists only of field names, without list indices.
struct ScaleSubresource {
  std::string_view spec_replicas = ".spec.replicas";
  std::string_view status_replicas = ".status.replicas";
  std::string_view label_selector{};  ///< the path of a string below .status; empty: none
};

namespace internal {

/// One entry of spec.versions.
struct Version {
  std::string_view name{};
  Layout layout{};
  json::Value schema{};
  std::span<const PrinterColumn> columns{};
  std::optional<ScaleSubresource> scale{};
  std::string_view deprecated{};
  bool served = true;
  bool stored = false;
};

PINTLE_EXPORT json::Value crd(Type type, const CrdNames& names, std::span<Version> versions);

template <Described T>
CrdNames names_of_kind() {
  CrdNames names;
  if constexpr (requires { std::string_view(T::plural); }) names.plural = T::plural;
  if constexpr (requires { std::string_view(T::singular); }) names.singular = T::singular;
  if constexpr (requires { T::short_names; }) {
    for (const std::string_view name : T::short_names) names.short_names.emplace_back(name);
  }
  if constexpr (requires { T::categories; }) {
    for (const std::string_view name : T::categories) names.categories.emplace_back(name);
  }
  if constexpr (requires { T::scope; }) names.scope = T::scope;
  if constexpr (requires { bool(T::foreign); }) names.is_foreign = T::foreign;
  return names;
}

template <Described T>
Version version_of(bool stored) {
  Version version{
      .name = version_name(T::type), .layout = kind_layout_of<T>, .schema = schema_of<T>(), .stored = stored};
  if constexpr (requires { std::span<const PrinterColumn>(T::columns); }) version.columns = T::columns;
  if constexpr (requires { std::string_view(T::deprecated); }) version.deprecated = T::deprecated;
  if constexpr (requires { bool(T::served); }) version.served = T::served;
  if constexpr (requires { ScaleSubresource(T::scale); }) version.scale = T::scale;
  return version;
}

}  // namespace internal

/// Returns the apiextensions.k8s.io/v1 CustomResourceDefinition of a kind. It has one version, which is served and
/// stored. The version has the schema, and the status subresource if the struct has a `status`. Its printer columns are
/// those that the fields declare, and the age. Static constexpr members of the struct change the defaults:
///
///   std::string_view plural, singular, description;  // default: greetings, greeting, none
///   std::array short_names{"gr"}, categories{"all"};
///   pintle::Scope scope = pintle::Scope::cluster;    // default: namespaced
///   std::array columns{pintle::PrinterColumn{.name = "Hosts", .path = ".spec.hosts[0].name", .type = "string"}};
///   pintle::ScaleSubresource scale{};                // default: no scale subresource
///   std::array rules{pintle::rule("self.metadata.name.size() < 20", "needs a short name")};
///   std::string_view deprecated = "use v2";          // default: not deprecated; the server sends this as a warning
///   bool served = false;                             // default: true; false for an old version, if others are served
///   bool foreign = true;                             // another operator installs the CRD; the manager never does
///   using versions = …;                              // several versions: see versions.hpp
template <Described T>
[[nodiscard]] json::Value crd_of() {
  if constexpr (requires { typename T::versions; }) {
    return T::versions::crd();
  } else {
    internal::Version versions[] = {internal::version_of<T>(true)};
    return internal::crd(T::type, internal::names_of_kind<T>(), versions);
  }
}

/// Checks whether a server would accept a CRD, as far as possible without a server. Schemas must be structural, and
/// defaults and list keys must fit them. Patterns must be valid. Columns and scale paths must lead to existing fields.
/// Exactly one version must be stored. Without a conversion webhook, all versions must have the same fields. Error:
/// invalid, with one cause for each violation.
[[nodiscard]] PINTLE_EXPORT Result<void> validate_crd(const json::Value& crd);

/// Whether `kind` comes from a CRD. Depends only on its group: false for the groups of Kubernetes itself, otherwise
/// true.
[[nodiscard]] PINTLE_EXPORT bool is_custom_kind(const GroupVersionKind& kind);

/// Returns the name of a CRD: "greetings.demo.pintle.dev".
[[nodiscard]] PINTLE_EXPORT std::string crd_name(std::string_view plural, std::string_view group);

/// Read access to a CustomResourceDefinition. Valid as long as the document of the view.
class PINTLE_EXPORT CrdView {
 public:
  explicit CrdView(json::View crd) noexcept : crd_(crd) {}

  [[nodiscard]] std::string_view name() const noexcept { return crd_["/metadata/name"].text(); }
  [[nodiscard]] std::string_view group() const noexcept { return spec().member("group").text(); }
  [[nodiscard]] std::string_view kind() const noexcept { return names().member("kind").text(); }
  [[nodiscard]] std::string_view plural() const noexcept { return names().member("plural").text(); }
  [[nodiscard]] Scope scope() const noexcept;

  /// The entry of spec.versions with this name, or a missing view.
  [[nodiscard]] json::View version(std::string_view name) const noexcept;
  [[nodiscard]] std::vector<std::string> served_versions() const;
  [[nodiscard]] std::string_view stored_version() const noexcept;
  [[nodiscard]] bool has_status(std::string_view version_name) const noexcept;

  /// Whether the CRD serves this group, version and kind with this scope.
  [[nodiscard]] bool serves(const GroupVersionKind& kind, Scope scope) const noexcept;
  /// Whether the CRD was derived from a foreign type and must not be installed.
  [[nodiscard]] bool is_foreign() const noexcept;
  /// Whether the server has established the CRD, so that its objects can be read and written.
  [[nodiscard]] bool is_established() const noexcept;

 private:
  [[nodiscard]] json::View spec() const noexcept { return crd_.member("spec"); }
  [[nodiscard]] json::View names() const noexcept { return spec().member("names"); }

  json::View crd_;
};

}  // namespace pintle
