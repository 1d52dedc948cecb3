// SPDX-License-Identifier: Apache-2.0
// Values that a user could choose: allowed by the schema, small, and without odd characters.
#pragma once

#include <string>
#include <vector>

#include <pintle/base/random.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/object.hpp>

namespace pintle::testkit {

[[nodiscard]] json::Value plausible_value(json::View schema, Random& random);
// Two objects, "a" and "b", of the stored version of each CRD that is not foreign; always the same ones.
[[nodiscard]] std::vector<json::Value> plausible_objects(const std::vector<Object>& crds);

// A field of a spec that can have several values.
struct Field {
  std::string pointer{};  // "/spec/replicas"
  json::Value schema{};
};
[[nodiscard]] std::vector<Field> changeable_fields(json::View schema_of_object);

}  // namespace pintle::testkit
