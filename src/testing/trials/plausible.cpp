// SPDX-License-Identifier: Apache-2.0
#include "plausible.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <pintle/json/pointer.hpp>
#include <pintle/object/schema/crd.hpp>
#include <pintle/testing/random_object.hpp>

namespace pintle::testkit {
namespace {

constexpr std::int64_t few = 4;  // a count above the minimum that every operator can handle

json::Value word(json::View schema, Random& random) {
  const auto least =
      static_cast<std::size_t>(std::max<std::int64_t>(1, schema.member("minLength").as_integer().value_or(1)));
  const auto most = static_cast<std::size_t>(schema.member("maxLength").as_integer().value_or(8));
  std::string text;
  const std::size_t length = std::min(most, least + random.below(few));
  while (text.size() < length) text += static_cast<char>('a' + random.below(26));
  return json::Value(text);
}

// Those that are a multiple of the step: the first one is not below the minimum, the last one is not above the maximum.
json::Value integer(json::View schema, Random& random) {
  const std::int64_t step = std::max<std::int64_t>(1, schema.member("multipleOf").as_integer().value_or(1));
  const auto maximum = schema.member("maximum").as_integer();
  const std::int64_t low =
      schema.member("minimum").as_integer().value_or(std::min<std::int64_t>(1, maximum.value_or(1)));
  const std::int64_t high = std::min(maximum.value_or(low + few), low + few);
  const std::int64_t drawn =
      low + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(std::max(low, high) - low) + 1));
  const std::int64_t remainder = (drawn % step + step) % step;
  if (remainder == 0) return drawn;
  const std::int64_t above = drawn - remainder + step;
  return above <= maximum.value_or(above) ? above : drawn - remainder;
}

json::Value object(json::View schema, Random& random) {
  json::object out;
  const json::View required = schema.member("required");
  for (const auto [name, property] : schema.member("properties").members()) {
    bool is_required = false;
    for (const json::View one : required.elements()) is_required = is_required || one.text() == name;
    const bool is_left_out = property.member("default").exists() || property.member("pattern").exists();
    if (is_required || (!is_left_out && random.below(2) == 0)) {
      out[name] = plausible_value(property, random);
    }
  }
  if (const json::View entries = schema.member("additionalProperties"); entries.is_object()) {
    const auto least = static_cast<std::size_t>(schema.member("minProperties").as_integer().value_or(0));
    for (std::size_t i = 0; i < least + random.below(2); ++i) {
      out["k" + std::to_string(i)] = plausible_value(entries, random);
    }
  }
  return out;
}

json::Value list(json::View schema, Random& random) {
  json::array out;
  const auto least = static_cast<std::size_t>(schema.member("minItems").as_integer().value_or(0));
  const std::size_t wanted = least + random.below(2);
  for (std::size_t attempt = 0; attempt < 3 * wanted && out.size() < wanted; ++attempt) {
    json::Value value = plausible_value(schema.member("items"), random);
    const bool is_new = std::ranges::none_of(out, [&](const json::Value& one) { return json::equal(one, value); });
    if (is_new) out.push_back(std::move(value));
  }
  return out;
}

void add_fields(json::View schema, const std::string& pointer, std::vector<Field>& fields) {
  if (schema.member("x-kubernetes-preserve-unknown-fields") == true) return;
  if (!schema.member("properties").empty() && !schema.member("oneOf").exists()) {
    for (const auto [name, property] : schema.member("properties").members()) {
      add_fields(property, pointer + "/" + json::escape_token(name), fields);
    }
    return;
  }
  const std::string_view type = schema.member("type").text();
  // A text with a pattern has a meaning that a random one would not have.
  if (type.empty() || schema.member("pattern").exists()) return;
  if (type == "object" && !schema.member("additionalProperties").is_object()) return;
  fields.push_back({.pointer = pointer, .schema = schema.to_value()});
}

}  // namespace

json::Value plausible_value(json::View schema, Random& random) {
  if (const json::View choices = schema.member("enum"); !choices.empty()) {
    return choices.element(random.below(choices.size())).to_value();
  }
  const std::string_view type = schema.member("type").text();
  if (type == "integer") {
    return integer(schema, random);
  }
  if (type == "string" && !schema.member("format").exists()) return word(schema, random);
  if (type == "object" && !schema.member("oneOf").exists()) return object(schema, random);
  if (type == "array") return list(schema, random);
  return random_value(schema, random);
}

std::vector<json::Value> plausible_objects(const std::vector<Object>& crds) {
  std::vector<json::Value> objects;
  Random random(1);
  for (const Object& crd : crds) {
    const CrdView view(crd.root());
    if (view.is_foreign()) continue;
    for (const json::View version : crd["/spec/versions"].elements()) {
      if (version.member("storage") != true) continue;
      for (const char* name : {"a", "b"}) {
        json::Value made = plausible_value(version["/schema/openAPIV3Schema"], random);
        json::object& members = made.as_object();
        members.erase("status");
        members["apiVersion"] = std::string(view.group()) + "/" + std::string(version.member("name").text());
        members["kind"] = crd["/spec/names/kind"].text();
        json::object metadata{{"name", name}};
        if (crd["/spec/scope"] == "Namespaced") metadata["namespace"] = "default";
        members["metadata"] = std::move(metadata);
        if (const json::View spec = version["/schema/openAPIV3Schema/properties/spec"]; spec.exists()) {
          members["spec"] = plausible_value(spec, random);
        }
        objects.push_back(std::move(made));
      }
    }
  }
  return objects;
}

std::vector<Field> changeable_fields(json::View schema_of_object) {
  std::vector<Field> fields;
  const json::View spec = schema_of_object["/properties/spec"];
  if (spec.exists()) add_fields(spec, "/spec", fields);
  return fields;
}

}  // namespace pintle::testkit
