// CRDs: the CustomResourceDefinition of a described struct, whether it is sound, and what one says.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/json/document.hpp>
#include <pintle/object/fields.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/schema.hpp>

namespace pintle {

enum class Scope { namespaced, cluster };
[[nodiscard]] std::string_view to_string(Scope scope) noexcept;  // "Namespaced", "Cluster"

// How a kind is called and reached. Empty parts follow the API conventions.
struct CrdNames {
  std::string plural{};
  std::string singular{};
  std::vector<std::string> short_names{};
  std::vector<std::string> categories{};
  Scope scope = Scope::namespaced;
  bool is_foreign = false;  // the definition belongs to another operator
};

// The annotation of a definition that was derived from a foreign type. It is a partial copy, which no tool installs.
inline constexpr std::string_view foreign_annotation = "pintle.dev/foreign";

// What makes `kubectl scale` and autoscalers work: JSON paths without lists, below .spec and .status.
struct ScalePaths {
  std::string_view spec_replicas = ".spec.replicas";
  std::string_view status_replicas = ".status.replicas";
  std::string_view label_selector{};  // a text below .status; empty: none
};

namespace described {

// One entry of spec.versions.
struct Version {
  std::string_view name{};
  Layout layout{};
  json::Value schema{};
  std::span<const PrinterColumn> columns{};
  std::optional<ScalePaths> scale{};
  std::string_view deprecated{};
  bool served = true;
  bool stored = false;
};

json::Value crd(Type type, const CrdNames& names, std::span<Version> versions);

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
  if constexpr (requires { ScalePaths(T::scale); }) version.scale = T::scale;
  return version;
}

}  // namespace described

// The apiextensions.k8s.io/v1 CustomResourceDefinition of a kind: one version, served and stored, with the schema, the
// status sub-resource when there is a `status`, a printer column for each field that has one, and the age. The struct
// may say more through static constexpr members:
//
//   std::string_view plural, singular, description;     // else greetings, greeting, none
//   std::array short_names{"gr"}, categories{"all"};
//   pintle::Scope scope = pintle::Scope::cluster;        // else namespaced
//   std::array columns{pintle::PrinterColumn{.name = "Hosts", .path = ".spec.hosts[0].name", .type = "string"}};
//   pintle::ScalePaths scale{};                          // else no scale sub-resource
//   std::array rules{pintle::rule("self.metadata.name.size() < 20", "needs a short name")};
//   bool foreign = true;                                 // another operator installs it; a manager never does
//   using versions = …;                                  // of a kind that has several: see versions.hpp
template <Described T>
[[nodiscard]] json::Value crd_of() {
  if constexpr (requires { typename T::versions; }) {
    return T::versions::crd();
  } else {
    described::Version versions[] = {described::version_of<T>(true)};
    return described::crd(T::type, described::names_of_kind<T>(), versions);
  }
}

// Whether a server would take a definition up, as far as that can be known without one: schemas that are structural,
// defaults and list keys that suit them, patterns, columns and scale paths that lead somewhere, one stored version, and
// without a conversion webhook versions that have the same fields. Error: invalid, with one cause for each fault.
[[nodiscard]] Result<void> check_crd(const json::Value& crd);

// Whether kinds of this group come from CRDs: not those of Kubernetes itself.
[[nodiscard]] bool is_custom(const GroupVersionKind& kind);

// The name of a CRD: "greetings.demo.pintle.dev".
[[nodiscard]] std::string crd_name(std::string_view plural, std::string_view group);

// What a CustomResourceDefinition says. Valid as long as the document it looks at.
class CrdView {
 public:
  explicit CrdView(json::View crd) noexcept : crd_(crd) {}

  [[nodiscard]] std::string_view name() const noexcept { return crd_["/metadata/name"].text(); }
  [[nodiscard]] std::string_view group() const noexcept { return spec().member("group").text(); }
  [[nodiscard]] std::string_view kind() const noexcept { return names().member("kind").text(); }
  [[nodiscard]] std::string_view plural() const noexcept { return names().member("plural").text(); }
  [[nodiscard]] Scope scope() const noexcept;

  // One entry of spec.versions; missing where there is none of this name.
  [[nodiscard]] json::View version(std::string_view name) const noexcept;
  [[nodiscard]] std::vector<std::string> served_versions() const;
  [[nodiscard]] std::string_view stored_version() const noexcept;
  [[nodiscard]] bool has_status(std::string_view version_name) const noexcept;

  // Whether it serves this version under this kind and scope.
  [[nodiscard]] bool serves(const GroupVersionKind& kind, Scope scope) const noexcept;
  // Whether it was derived from a foreign type, so that it must not be installed.
  [[nodiscard]] bool is_foreign() const noexcept;
  // Whether the server has taken it up, so that its objects can be read and written.
  [[nodiscard]] bool is_established() const noexcept;

 private:
  [[nodiscard]] json::View spec() const noexcept { return crd_.member("spec"); }
  [[nodiscard]] json::View names() const noexcept { return spec().member("names"); }

  json::View crd_;
};

}  // namespace pintle
