// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/json/pointer.hpp>
#include <pintle/object/schema/crd.hpp>
#include <pintle/object/schema/structural.hpp>
#include <pintle/testing/random_object.hpp>

namespace pintle::testkit {
namespace {

std::string item_path(const std::string& path, std::size_t index) { return path + "[" + std::to_string(index) + "]"; }

// Returns the path of the first value of `before` that `after` does not have, or "".
std::string first_loss(json::View before, json::View after, const std::string& path) {
  if (before.is_array() && after.is_array() && before.size() == after.size()) {
    for (std::size_t i = 0; i < before.size(); ++i) {
      std::string lost = first_loss(before.element(i), after.element(i), item_path(path, i));
      if (!lost.empty()) return lost;
    }
    return "";
  }
  if (!before.is_object() || !after.is_object()) return before == after ? "" : path;
  for (const auto [name, value] : before.members()) {
    std::string lost = first_loss(value, after.member(name), path + "." + std::string(name));
    if (!lost.empty()) return lost;
  }
  return "";
}

Result<void> check_trip(const AnyConversion& conversion, const json::Value& before, const std::string& to,
                        const RoundTripOptions& options) {
  const Object object(before);
  auto there = conversion.convert(object, to);
  if (!there) return fail(std::move(there.error()).with_operation("convert " + json::print(before) + " to " + to));
  if (!options.keeps_annotation) remove_kept_fields(*there);
  const std::string from(object.api_version());
  auto back = conversion.convert(Object(*there), from);
  if (!back) return fail(std::move(back.error()).with_operation("convert " + json::print(*there) + " to " + from));
  const std::string lost = first_loss(json::Document(before).root(), json::Document(*back).root(), "");
  if (lost.empty()) return {};
  return fail(ErrorCode::invalid, object.group_version_kind().to_string() + " loses " + lost +
                                      " in the conversion to " + to + " and back: " + json::print(before) + " became " +
                                      json::print(*back));
}

json::Value random_custom_object(const AnyConversion& conversion, json::View version, const std::string& api_version,
                                 Random& random) {
  json::Value object = random_value(version["/schema/openAPIV3Schema"], random);
  json::object& members = object.as_object();
  members["apiVersion"] = api_version;
  members["kind"] = conversion.kind.kind;
  members["metadata"] = {{"name", "random"},
                         {"labels", json::object{{"team", "a"}}},
                         {"annotations", json::object{{"example.com/note", "b"}}}};
  return object;
}

// A value that can be changed: a list, or a primitive.
struct Place {
  std::string pointer{};
  json::View schema{};
  std::size_t size = 0;  // of a list
};

void add_places(json::View schema, json::View value, const std::string& pointer, std::vector<Place>& lists,
                std::vector<Place>& primitives) {
  if (value.is_array()) {
    lists.push_back({.pointer = pointer, .schema = schema, .size = value.size()});
    for (std::size_t i = 0; i < value.size(); ++i) {
      add_places(schema.member("items"), value.element(i), pointer + "/" + std::to_string(i), lists, primitives);
    }
  } else if (value.is_object()) {
    for (const auto [name, member] : value.members()) {
      const bool is_common = pointer.empty() && (name == "apiVersion" || name == "kind" || name == "metadata");
      const json::View property = schema.member("properties").member(name);
      const json::View of_member = property ? property : schema.member("additionalProperties");
      if (is_common || !of_member.is_object()) continue;
      add_places(of_member, member, pointer + "/" + json::escape_token(name), lists, primitives);
    }
  } else {
    primitives.push_back({.pointer = pointer, .schema = schema});
  }
}

enum class Alteration { append, remove, change };

// Changes one value of an object, and returns the change as text; "" if there is none to change.
std::string alter(Alteration how, json::View schema, json::Value& object, Random& random) {
  const json::Document before(object);
  std::vector<Place> lists;
  std::vector<Place> primitives;
  add_places(schema, before.root(), "", lists, primitives);
  if (how == Alteration::remove) std::erase_if(lists, [](const Place& list) { return list.size == 0; });
  const std::vector<Place>& places = how == Alteration::change ? primitives : lists;
  if (places.empty()) return "";
  const Place& place = places[random.below(places.size())];
  if (how == Alteration::remove) {
    const std::string at = place.pointer + "/" + std::to_string(random.below(place.size));
    json::erase(object, at);
    return "the removal of " + at;
  }
  const std::string at = place.pointer + (how == Alteration::append ? "/-" : "");
  json::Value drawn = random_value(how == Alteration::append ? place.schema.member("items") : place.schema, random);
  std::string what = "setting " + at + " to " + json::print(drawn);
  return json::set(object, at, std::move(drawn)) ? what : "";
}

// Whether an object has as few errors as another one. A random object may violate a pattern.
bool is_as_valid(json::View schema, const json::Value& object, const json::Value& as) {
  const auto parsed = StructuralSchema::parse(schema);
  const auto count = [&](const json::Value& one) { return parsed->validate(json::Document(one).root()).size(); };
  return parsed && count(object) <= count(as);
}

bool are_equal(json::View a, json::View b) { return a.exists() || b.exists() ? a == b : true; }

bool have_same_keys(json::View a, json::View b, json::View keys) {
  for (const json::View key : keys.elements()) {
    if (!are_equal(a.member(key.text()), b.member(key.text()))) return false;
  }
  return true;
}

// The element of a list map with the keys of another one, or a missing value.
json::View with_keys_of(json::View element, json::View keys, json::View list) {
  for (const json::View one : list.elements()) {
    if (have_same_keys(one, element, keys)) return one;
  }
  return {};
}

// Whether the keys identify each element.
bool has_keys(json::View keys, json::View list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (have_same_keys(list.element(i), list.element(j), keys)) return false;
    }
  }
  return !keys.empty();
}

std::size_t count_in(json::View list, json::View element) {
  std::size_t count = 0;
  for (const json::View one : list.elements()) count += one == element ? 1U : 0U;
  return count;
}

// One value of an object, after conversions to another version and back.
struct Trip {
  json::View complete{};         // before
  json::View returned{};         // without a change and without what annotations keep
  json::View edited_returned{};  // with a change, and without what annotations keep
  json::View edited{};           // with a change

  Trip member(std::string_view name) const {
    return {complete.member(name), returned.member(name), edited_returned.member(name), edited.member(name)};
  }
};

std::string lost_in_edit(json::View schema, const Trip& trip, const std::string& path);

std::string lost_by_key(json::View schema, const Trip& trip, const std::string& path) {
  const json::View keys = schema.member("x-kubernetes-list-map-keys");
  std::size_t index = 0;
  for (const json::View element : trip.complete.elements()) {
    const Trip one{element, with_keys_of(element, keys, trip.returned),
                   with_keys_of(element, keys, trip.edited_returned), with_keys_of(element, keys, trip.edited)};
    const std::string at = item_path(path, index++);
    if (one.returned.exists() != one.edited_returned.exists()) continue;  // removed, or added with the same keys
    std::string lost = one.returned.exists() ? lost_in_edit(schema.member("items"), one, at)
                                             : first_loss(one.complete, one.edited, at);
    if (!lost.empty()) return lost;
  }
  return "";
}

bool is_in(json::View element, json::View list) {
  for (const json::View one : list.elements()) {
    if (first_loss(element, one, ".").empty()) return true;
  }
  return false;
}

// The elements that the change does not concern must still be in the list.
std::string lost_by_equality(const Trip& trip, const std::string& path) {
  const bool are_pairs = trip.complete.size() == trip.returned.size();
  for (std::size_t i = 0; i < trip.complete.size(); ++i) {
    const json::View element = trip.complete.element(i);
    const json::View returned = trip.returned.element(i);
    const bool is_concerned = are_pairs ? count_in(trip.edited_returned, returned) < count_in(trip.returned, returned)
                                        : is_in(element, trip.returned);
    if (!is_concerned && !is_in(element, trip.edited)) return item_path(path, i);
  }
  return "";
}

// Returns the path of the first value that was lost although the change did not concern it, or "".
std::string lost_in_edit(json::View schema, const Trip& trip, const std::string& path) {
  if (are_equal(trip.returned, trip.edited_returned)) return first_loss(trip.complete, trip.edited, path);
  if (trip.complete.is_object() && trip.returned.is_object() && trip.edited_returned.is_object()) {
    for (const auto [name, value] : trip.complete.members()) {
      const json::View property = schema.member("properties").member(name);
      std::string lost = lost_in_edit(property ? property : schema.member("additionalProperties"), trip.member(name),
                                      path + "." + std::string(name));
      if (!lost.empty()) return lost;
    }
  }
  if (trip.complete.is_array() && trip.returned.is_array() && trip.edited_returned.is_array()) {
    const json::View keys = schema.member("x-kubernetes-list-map-keys");
    const bool is_map = has_keys(keys, trip.complete) && has_keys(keys, trip.returned) &&
                        has_keys(keys, trip.edited_returned) && has_keys(keys, trip.edited);
    return is_map ? lost_by_key(schema, trip, path) : lost_by_equality(trip, path);
  }
  return "";
}

// Converts an object without the annotations that the first conversion added. The result has no metadata.
Result<json::Document> convert_bare(const AnyConversion& conversion, json::Value there, const json::Value& before) {
  const json::Value* annotations = json::find(before, "/metadata/annotations");
  if (auto set = json::set(there, "/metadata/annotations", annotations == nullptr ? json::object() : *annotations);
      !set) {
    return fail(std::move(set.error()));
  }
  auto back = conversion.convert(Object(there), Object(before).api_version());
  if (!back) return fail(std::move(back.error()));
  json::erase(*back, "/metadata");
  return json::Document(*back);
}

json::View schema_of_version(const json::Document& crd, std::string_view api_version) {
  return CrdView(crd.root()).version(api_version.substr(api_version.find('/') + 1))["/schema/openAPIV3Schema"];
}

Result<void> check_edited_trip(const AnyConversion& conversion, const json::Value& before, const std::string& to,
                               Alteration how, Random& random) {
  const json::Document crd(*conversion.crd);
  const Object object(before);
  const std::string from(object.api_version());
  const auto there = conversion.convert(object, to);
  if (!there) return {};
  json::Value changed = *there;
  const json::View schema = schema_of_version(crd, to);
  const std::string what = alter(how, schema, changed, random);
  if (what.empty() || !is_as_valid(schema, changed, *there)) return {};

  // The conversion may reject a change that its schema allows. Then there is nothing to compare.
  const auto returned = convert_bare(conversion, *there, before);
  const auto edited_returned = convert_bare(conversion, changed, before);
  const auto back = conversion.convert(Object(changed), from);
  if (!returned || !edited_returned || !back) return {};
  json::Value complete = before;
  json::erase(complete, "/metadata");
  const json::Document first(complete);
  const json::Document last(*back);
  const std::string lost = lost_in_edit(schema_of_version(crd, from),
                                        {first.root(), returned->root(), edited_returned->root(), last.root()}, "");
  if (lost.empty()) return {};
  return fail(ErrorCode::invalid,
              object.group_version_kind().to_string() + " loses " + lost + " in the conversion to " + to + ", " + what +
                  " there, and the conversion back: " + json::print(before) + " became " + json::print(*back));
}

}  // namespace

Result<void> check_edited_trips(const AnyConversion& conversion, const json::Value& object, const std::string& to,
                                Random& random) {
  for (const Alteration how : {Alteration::append, Alteration::remove, Alteration::change}) {
    if (auto survives = check_edited_trip(conversion, object, to, how, random); !survives) return survives;
  }
  return {};
}

Result<void> check_round_trips(const AnyConversion& conversion, Random& random, const RoundTripOptions& options) {
  if (!conversion.crd || !conversion.convert) {
    return fail(ErrorCode::invalid, "the conversion has no CRD or no function; set .crd and .convert");
  }
  const json::Document crd(*conversion.crd);
  const std::string hub = conversion.kind.api_version();
  for (const json::View version : crd.root()["/spec/versions"].elements()) {
    const std::string api_version = conversion.kind.group + "/" + std::string(version.member("name").text());
    if (api_version == hub) continue;
    const json::View stored = CrdView(crd.root()).version(conversion.kind.version);
    const json::Value spoke = random_custom_object(conversion, version, api_version, random);
    const json::Value of_hub = random_custom_object(conversion, stored, hub, random);
    if (auto survives = check_trip(conversion, spoke, hub, options); !survives) return survives;
    if (auto survives = check_trip(conversion, of_hub, api_version, options); !survives) return survives;
    if (!options.edits || !options.keeps_annotation) continue;
    if (auto survives = check_edited_trips(conversion, spoke, hub, random); !survives) return survives;
    if (auto survives = check_edited_trips(conversion, of_hub, api_version, random); !survives) return survives;
  }
  return {};
}

}  // namespace pintle::testkit
