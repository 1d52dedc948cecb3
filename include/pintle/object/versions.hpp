// Versions: a kind that is served in several versions. Each version is a struct, and one of them is stored.
//
//   namespace v1 {
//   struct Gate {
//     static constexpr pintle::Type type{"demo.pintle.dev/v1", "Gate"};
//     using versions = pintle::Versions<Gate, v1beta1::Gate>;  // the stored version first
//     …
//   };
//   }
//
// pintle::crd_of<v1::Gate>() then contains all versions. A version that is not stored can define its conversion to the
// stored version and back:
//
//   void to(v1::Gate& stored) const;
//   void from(const v1::Gate& stored);
//
// Either all of these versions define a conversion, and a conversion webhook calls convert(). Or none of them does:
// then all versions have the same fields, and only apiVersion changes.
#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include <pintle/base/annotations.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/crd.hpp>

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
PINTLE_EXPORT Error no_such_version(std::string_view requested, std::string_view kind,
                                    std::initializer_list<std::string_view> known);

}  // namespace internal

template <class Version, class Stored>
concept ConvertsTo = requires(Version version, const Version& same, Stored& stored) {
  same.to(stored);
  version.from(std::as_const(stored));
};

template <class Stored, class... Others>
struct Versions {
  /// Whether the versions define conversions. They must define conversions if their fields differ.
  [[nodiscard]] static constexpr bool have_conversions() {
    constexpr bool any = (ConvertsTo<Others, Stored> || ...);
    static_assert(any == (ConvertsTo<Others, Stored> && ...),
                  "all versions or none must convert to the stored version");
    return any;
  }

  /// Returns the CRD. If the versions define conversions and no webhook is given, the CRD lacks the address of the
  /// webhook. The caller must add it; validate_crd() reports that it is missing.
  [[nodiscard]] static json::Value crd() {
    internal::Version versions[] = {internal::version_of<Stored>(true), internal::version_of<Others>(false)...};
    static_assert((is_same_kind<Others>() && ...),
                  "versions must have the same group and kind, and different version names");
    json::Value made = internal::crd(Stored::type, internal::names_of_kind<Stored>(), versions);
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

  /// Converts an object to another version. The metadata stays unchanged. If the versions define conversions, fields
  /// that their structs do not have are lost. Error: invalid, if the object cannot be decoded, or if its version or
  /// `api_version` is not a version of this kind.
  [[nodiscard]] static Result<json::Value> convert(const Object& object, std::string_view api_version) {
    Result<json::Value> converted = unknown(object.api_version());
    (convert_from<Stored>(object, api_version, converted) || ... ||
     convert_from<Others>(object, api_version, converted));
    if (converted) converted->as_object()["metadata"] = object.metadata().to_value();
    return converted;
  }

  /// Converts a version to the stored version, and back.
  template <class Version>
  [[nodiscard]] static Stored to_stored(const Version& version) {
    if constexpr (std::same_as<Version, Stored>) {
      return version;
    } else {
      Stored stored{};
      stored.metadata = version.metadata;
      version.to(stored);
      return stored;
    }
  }
  template <class Version>
  [[nodiscard]] static Version from_stored(const Stored& stored) {
    if constexpr (std::same_as<Version, Stored>) {
      return stored;
    } else {
      Version version{};
      version.metadata = stored.metadata;
      version.from(stored);
      return version;
    }
  }

 private:
  template <class Other>
  static constexpr bool is_same_kind() {
    const auto group = [](Type type) { return type.api_version.substr(0, type.api_version.find('/')); };
    return group(Other::type) == group(Stored::type) && Other::type.kind == Stored::type.kind &&
           Other::type.api_version != Stored::type.api_version;
  }

  static Result<json::Value> unknown(std::string_view api_version) {
    return internal::no_such_version(api_version, Stored::type.kind,
                                     {Stored::type.api_version, Others::type.api_version...});
  }

  // Returns whether `object` has the version of From; if it has, sets `to`. convert_to() does the same for
  // `api_version` and To.
  template <class From>
  static bool convert_from(const Object& object, std::string_view api_version, Result<json::Value>& to) {
    if (object.api_version() != From::type.api_version) return false;
    to = unknown(api_version);
    (convert_to<From, Stored>(object, api_version, to) || ... || convert_to<From, Others>(object, api_version, to));
    return true;
  }
  template <class From, class To>
  static bool convert_to(const Object& object, std::string_view api_version, Result<json::Value>& to) {
    if (api_version != To::type.api_version) return false;
    to = object.to_value();
    if constexpr (std::same_as<From, To> || !have_conversions()) {
      to->as_object()["apiVersion"] = To::type.api_version;
    } else {
      const Result<From> from = decode<From>(object);
      to = from ? encode(from_stored<To>(to_stored(*from))) : Result<json::Value>(from.error());
    }
    return true;
  }
};

}  // namespace pintle
