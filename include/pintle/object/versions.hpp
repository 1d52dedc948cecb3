// SPDX-License-Identifier: Apache-2.0
// Versions: a kind that is served in several versions. Each version is a struct. One of them, the hub, is stored.
//
//   namespace v1 {
//   struct Gate {
//     static constexpr pintle::Type type{"demo.pintle.dev/v1", "Gate"};
//     using versions = pintle::Versions<Gate, v1beta1::Gate>;  // the hub first
//     …
//   };
//   }
//
// pintle::crd_of<v1::Gate>() then contains all versions. Each other version can define its conversion to the hub and
// back:
//
//   void to(v1::Gate& hub) const;
//   void from(const v1::Gate& hub);
//
// Both may return Result<void> instead; an error rejects the request of the user with the message of the error. Either
// all of these versions define a conversion, or none. If none does, all versions must have the same fields, and the API
// server changes only apiVersion. Otherwise, a manager with a controller of v1::Gate serves the conversions as a
// webhook and installs the CRD with the address of the webhook.
//
// A field that another version cannot represent is kept in the annotation `pintle.dev/conversion-data` of the converted
// object, and restored by the conversion back, unless the field was changed in the meantime. After a change of a list
// in the other version, the fields of an element are restored if the element can be found again: by its keys, if the
// list is a list map and the conversion does not change keys; otherwise by equality, if the other version has the same
// elements in the same order and this element was not changed. A value that would violate the schema is not restored.
// A version whose fields should be dropped instead has this member:
//
//   static constexpr bool keeps_lost_fields = false;
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <pintle/base/annotations.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/conversion.hpp>
#include <pintle/object/schema/crd.hpp>
#include <pintle/object/schema/structural.hpp>

namespace pintle {

/// The address of the conversion webhook for the API server. Set `url`, or `service` and `namespace_`.
struct ConversionWebhook {
  std::string url{};
  std::string service{};
  std::string namespace_{};
  std::string path{};
  int port = 443;
  std::string ca_bundle{};  ///< PEM; empty: the certificates that the server trusts, or a bundle that is injected later
};

namespace internal {

/// If `webhook` is null, its address is left out.
PINTLE_EXPORT void add_conversion(json::Value& crd, const ConversionWebhook* webhook);

/// The conversions between one version and the hub of a kind. Each function decodes an object and returns another one
/// with all members; the metadata of the result has no meaning. The entry of the hub has no `to_hub` and `from_hub`.
struct VersionConversion {
  using Function = Result<json::Value> (*)(const Object&);

  Type type{};
  bool keeps_lost_fields = true;
  Function read = nullptr;
  Function to_hub = nullptr;
  Function from_hub = nullptr;
  const StructuralSchema& (*schema)() = nullptr;
};

/// The first version is the hub.
PINTLE_EXPORT Result<json::Value> convert_between(std::span<const VersionConversion> versions, const Object& object,
                                                  std::string_view api_version);

/// An invalid schema, which validate_crd() reports, accepts all objects.
PINTLE_EXPORT StructuralSchema parsed_schema(const json::Value& schema);

/// Calls a conversion of an author, which returns nothing or a Result<void>.
template <class Call>
[[nodiscard]] Result<void> call_conversion(const Call& call) {
  if constexpr (std::same_as<decltype(call()), void>) {
    call();
    return {};
  } else {
    return call();
  }
}

}  // namespace internal

template <class Version, class Hub>
concept ConvertsTo = requires(Version version, const Version& same, Hub& hub) {
  same.to(hub);
  version.from(std::as_const(hub));
};

template <class Hub, class... Others>
struct Versions {
  /// Whether the versions define conversions. They must define conversions if their fields differ.
  [[nodiscard]] static constexpr bool have_conversions() {
    constexpr bool any = (ConvertsTo<Others, Hub> || ...);
    static_assert(any == (ConvertsTo<Others, Hub> && ...), "all versions or none must convert to the hub");
    return any;
  }

  /// Returns the CRD. If the versions define conversions and no webhook is given, the CRD lacks the address of the
  /// webhook. The caller must add it; validate_crd() reports that it is missing.
  [[nodiscard]] static json::Value crd() {
    internal::Version versions[] = {internal::version_of<Hub>(true), internal::version_of<Others>(false)...};
    static_assert((is_same_kind<Others>() && ...),
                  "versions must have the same group and kind, and different version names");
    static_assert(have_different_names(), "versions must have different version names");
    json::Value made = internal::crd(Hub::type, internal::names_of_kind<Hub>(), versions);
    if constexpr (have_conversions()) internal::add_conversion(made, nullptr);
    return made;
  }
  [[nodiscard]] static json::Value crd(const ConversionWebhook& webhook)
    requires(have_conversions())
  {
    json::Value made = crd();
    internal::add_conversion(made, &webhook);
    return made;
  }

  /// Converts an object to another version. The metadata stays unchanged, except for the annotation
  /// `pintle.dev/conversion-data`. Errors: invalid, if the object cannot be decoded, if its version or `api_version` is
  /// not a version of this kind, or if the annotation would become larger than an API server accepts; those of the
  /// conversions of the author. The conversion back may fail: then the whole object is kept in the annotation, if it
  /// fits there, and restored if the converted object is unchanged. Thread-safe, if the conversions are.
  [[nodiscard]] static Result<json::Value> convert(const Object& object, std::string_view api_version) {
    static constexpr internal::VersionConversion all[] = {hub_version(), conversion_of<Others>()...};
    return internal::convert_between(all, object, api_version);
  }

  /// Returns the conversion that a manager serves.
  [[nodiscard]] static AnyConversion conversion()
    requires(have_conversions())
  {
    return {.kind = Hub::type,
            .convert = convert,
            .crd = crd(),
            .versions = {std::string(version_name(Hub::type)), std::string(version_name(Others::type))...}};
  }

 private:
  static constexpr bool have_different_names() {
    const std::string_view names[] = {Hub::type.api_version, Others::type.api_version...};
    for (std::size_t i = 0; i <= sizeof...(Others); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (names[i] == names[j]) return false;
      }
    }
    return true;
  }

  template <class Other>
  static constexpr bool is_same_kind() {
    const auto group = [](Type type) { return type.api_version.substr(0, type.api_version.find('/')); };
    return group(Other::type) == group(Hub::type) && Other::type.kind == Hub::type.kind &&
           Other::type.api_version != Hub::type.api_version;
  }

  template <class Version>
  static constexpr bool keeps_lost_fields() {
    if constexpr (requires { bool(Version::keeps_lost_fields); }) return Version::keeps_lost_fields;
    return true;
  }

  static constexpr internal::VersionConversion hub_version() {
    return {.type = Hub::type, .keeps_lost_fields = keeps_lost_fields<Hub>(), .read = read<Hub>, .schema = schema<Hub>};
  }
  template <class Version>
  static constexpr internal::VersionConversion conversion_of() {
    internal::VersionConversion made{.type = Version::type, .keeps_lost_fields = keeps_lost_fields<Version>()};
    if constexpr (have_conversions()) {
      made.read = read<Version>;
      made.to_hub = to_hub<Version>;
      made.from_hub = from_hub<Version>;
      made.schema = schema<Version>;
    }
    return made;
  }

  template <class Version>
  static const StructuralSchema& schema() {
    static const StructuralSchema parsed = internal::parsed_schema(schema_of<Version>());
    return parsed;
  }
  template <class Version>
  static Result<json::Value> read(const Object& object) {
    const Result<Version> decoded = decode<Version>(object);
    return decoded ? encode(*decoded) : Result<json::Value>(decoded.error());
  }
  template <class Version>
  static Result<json::Value> to_hub(const Object& object) {
    const Result<Version> version = decode<Version>(object);
    if (!version) return fail(version.error());
    Hub hub{};
    hub.metadata = version->metadata;
    auto done = internal::call_conversion([&] { return version->to(hub); });
    return done ? encode(hub) : Result<json::Value>(std::move(done.error()));
  }
  template <class Version>
  static Result<json::Value> from_hub(const Object& object) {
    const Result<Hub> hub = decode<Hub>(object);
    if (!hub) return fail(hub.error());
    Version version{};
    version.metadata = hub->metadata;
    auto done = internal::call_conversion([&] { return version.from(*hub); });
    return done ? encode(version) : Result<json::Value>(std::move(done.error()));
  }
};

/// Returns the conversion of a described struct with `using versions` whose versions define conversions; otherwise
/// nothing.
template <Described T>
[[nodiscard]] std::optional<AnyConversion> conversion_of() {
  if constexpr (requires { T::versions::conversion(); }) {
    return T::versions::conversion();
  } else {
    return std::nullopt;
  }
}

}  // namespace pintle
