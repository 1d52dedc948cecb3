// SPDX-License-Identifier: Apache-2.0
// Random values of described structs, from a seed, for property tests. check_round_trips() checks that a conversion to
// another version and back loses nothing.
//
//   for (const std::uint64_t seed : pintle::testkit::seeds({})) {
//     pintle::Random random(seed);
//     const auto survives = pintle::testkit::check_round_trips(v1::Gate::versions{}, random);
//     ASSERT_TRUE(survives) << survives.error().message << ", seed " << seed;
//   }
#pragma once

#include <concepts>
#include <set>
#include <string>
#include <type_traits>

#include <pintle/base/annotations.hpp>
#include <pintle/base/random.hpp>
#include <pintle/json/document.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/conversion.hpp>
#include <pintle/object/schema/schema.hpp>
#include <pintle/object/versions.hpp>

namespace pintle::testkit {

/// Returns a value that satisfies an OpenAPI v3 schema: types, ranges, enums, lengths, required members and oneOf. A
/// string has the required format, and an int-or-string with a pattern is a valid quantity. The pattern of a string,
/// and CEL rules, are ignored.
[[nodiscard]] PINTLE_EXPORT json::Value random_value(json::View schema, Random& random);

/// Returns a random struct; its metadata contains only a name. Error: invalid if a custom type does not accept a random
/// string.
template <Described T>
[[nodiscard]] Result<T> random_object(Random& random) {
  const json::Document schema(schema_of<T>());
  json::Value object = random_value(schema.root(), random);
  object.as_object()["apiVersion"] = T::type.api_version;
  object.as_object()["kind"] = T::type.kind;
  object.as_object()["metadata"] = {{"name", "random"}};
  return decode<T>(Object(object));
}

/// Converts an object of any version into the struct of version T.
template <class Versions, Described T>
[[nodiscard]] Result<T> in_version(const json::Value& object) {
  const auto converted = Versions::convert(Object(object), T::type.api_version);
  if (!converted) return fail(converted.error());
  return decode<T>(Object(*converted));
}

struct RoundTripOptions {
  /// Whether the annotation `pintle.dev/conversion-data` survives between the two conversions. If it does not, as when
  /// a client replaces all annotations, a field that another version cannot represent counts as lost.
  bool keeps_annotation = true;
  /// Whether a value is also changed between the two conversions, as a user of the other version does: an element of a
  /// list is added or removed, or a text, number or boolean is changed. A value that the change does not concern must
  /// survive. If the elements of a list have no keys, only those that are equal before and after are compared.
  /// Applies only if the annotation is kept.
  bool edits = true;
};

/// Removes the annotation that the conversions of Versions write, and no other one.
PINTLE_EXPORT void remove_kept_fields(json::Value& object);

/// Checks that an object is unchanged after a conversion to version To and back. Error: invalid, with both objects.
template <class Versions, Described From, Described To>
[[nodiscard]] Result<void> check_round_trip(const From& object, const RoundTripOptions& options = {}) {
  const json::Document before(encode(object));
  const auto there = in_version<Versions, To>(encode(object));
  if (!there) return fail(there.error());
  json::Value middle = encode(*there);
  if (!options.keeps_annotation) remove_kept_fields(middle);
  const auto back = in_version<Versions, From>(middle);
  if (!back) return fail(back.error());
  const json::Document after(encode(*back));
  if (before.root() == after.root()) return {};
  return fail(ErrorCode::invalid, GroupVersionKind(From::type).to_string() + " changes in the conversion to " +
                                      std::string(To::type.api_version) + " and back: " + before.root().print() +
                                      " became " + after.root().print());
}

/// Converts an object to version `to`, changes a value there, and converts it back, once for each kind of change
/// (RoundTripOptions::edits). `conversion` must have a CRD. Error: invalid, with the value that is lost, the change and
/// both objects. A change that the conversion rejects is left out.
[[nodiscard]] PINTLE_EXPORT Result<void> check_edited_trips(const AnyConversion& conversion, const json::Value& object,
                                                            const std::string& to, Random& random);

/// The same checks for random objects of each version, and the conversion to each other version. Unless
/// `keeps_annotation` is false, a field that another version cannot represent is not an error, because it is kept in an
/// annotation; see fields_kept_aside().
template <class Stored, class... Others>
[[nodiscard]] Result<void> check_round_trips(Versions<Stored, Others...> /*versions*/, Random& random,
                                             const RoundTripOptions& options = {}) {
  using All = Versions<Stored, Others...>;
  const AnyConversion conversion{.kind = Stored::type, .convert = All::convert, .crd = All::crd()};
  Result<void> done;
  const auto check = [&]<class From, class To>(std::type_identity<From>, std::type_identity<To>) {
    if constexpr (!std::same_as<From, To>) {
      auto object = random_object<From>(random);
      if (object) object->metadata.labels["team"] = "a";
      if (object) object->metadata.annotations["example.com/note"] = "b";
      done = object ? check_round_trip<All, From, To>(*object, options) : Result<void>(fail(object.error()));
      const bool edits = done && options.edits && options.keeps_annotation;
      if (edits) done = check_edited_trips(conversion, encode(*object), std::string(To::type.api_version), random);
    }
    return done.has_value();
  };
  const auto check_all = [&]<class From>(std::type_identity<From> from) {
    return check(from, std::type_identity<Stored>()) && (check(from, std::type_identity<Others>()) && ...);
  };
  if ((check_all(std::type_identity<Others>()) && ...)) check_all(std::type_identity<Stored>());
  return done;
}

/// As the other check_round_trips(), for any conversion, also one without described structs. The objects are generated
/// from the schemas of its CRD. Each other version is converted to the hub and back, and the hub to each other version
/// and back. Members that the conversions add, such as defaults, are allowed; each other difference is an error. A
/// value is compared as JSON, so a quantity that is written in another form counts as changed. Error: invalid, with the
/// member that is lost or changed and both objects; also if `conversion` has no CRD.
[[nodiscard]] PINTLE_EXPORT Result<void> check_round_trips(const AnyConversion& conversion, Random& random,
                                                           const RoundTripOptions& options = {});

/// Adds the fields of a converted object that its version cannot represent, as "v1/spec/colour".
PINTLE_EXPORT void add_kept_fields(const json::Value& converted, std::set<std::string>& fields);

/// Returns the fields of random objects that another version cannot represent, as "v1/spec/colour": field
/// .spec.colour of version v1. A test compares them with those that the author expects, because a conversion that
/// omits a field passes check_round_trips().
template <class Stored, class... Others>
[[nodiscard]] Result<std::set<std::string>> fields_kept_aside(Versions<Stored, Others...> /*versions*/,
                                                              Random& random) {
  using All = Versions<Stored, Others...>;
  std::set<std::string> fields;
  Result<void> done;
  const auto add = [&]<class From>(std::type_identity<From>, Type to) {
    const auto object = random_object<From>(random);
    const auto converted =
        object ? All::convert(Object(encode(*object)), to.api_version) : Result<json::Value>(fail(object.error()));
    if (!converted) {
      done = fail(converted.error());
    } else {
      add_kept_fields(*converted, fields);
    }
  };
  ((add(std::type_identity<Stored>(), Others::type), add(std::type_identity<Others>(), Stored::type)), ...);
  if (!done) return fail(done.error());
  return fields;
}

}  // namespace pintle::testkit
