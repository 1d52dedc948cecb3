// SPDX-License-Identifier: Apache-2.0
#include "fit.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <pintle/object/bytes.hpp>
#include <pintle/object/quantity.hpp>

#include "json/edit/erase_members.hpp"
#include "object/far_time.hpp"
#include "place.hpp"
#include "table/decoding.hpp"
#include "values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

constexpr std::string_view metadata_text = R"({
  "type": "object",
  "properties": {
    "name": {"type": "string"},
    "generateName": {"type": "string"},
    "namespace": {"type": "string"},
    "selfLink": {"type": "string"},
    "uid": {"type": "string"},
    "resourceVersion": {"type": "string"},
    "generation": {"type": "integer", "x-pintle-omit-zero": true},
    "creationTimestamp": {"type": "string", "format": "date-time"},
    "deletionTimestamp": {"type": "string", "format": "date-time"},
    "deletionGracePeriodSeconds": {"type": "integer"},
    "labels": {"type": "object", "additionalProperties": {"type": "string", "x-pintle-keep": true}},
    "annotations": {"type": "object", "additionalProperties": {"type": "string", "x-pintle-keep": true}},
    "ownerReferences": {"type": "array", "items": {"type": "object", "properties": {
      "apiVersion": {"type": "string", "x-pintle-keep": true},
      "kind": {"type": "string", "x-pintle-keep": true},
      "name": {"type": "string", "x-pintle-keep": true},
      "uid": {"type": "string", "x-pintle-keep": true},
      "controller": {"type": "boolean"},
      "blockOwnerDeletion": {"type": "boolean"}}}},
    "finalizers": {"type": "array", "items": {"type": "string", "x-pintle-keep": true}},
    "managedFields": {"type": "array", "items": {"type": "object", "properties": {
      "manager": {"type": "string"},
      "operation": {"type": "string"},
      "apiVersion": {"type": "string"},
      "time": {"type": "string", "format": "date-time"},
      "fieldsType": {"type": "string"},
      "fieldsV1": {"x-kubernetes-preserve-unknown-fields": true},
      "subresource": {"type": "string"}}}}
  }
})";

View metadata_schema() {
  static const json::Document document = json::Document::parse(metadata_text).value();
  return document.root();
}

// No integer of a struct is larger. Counts of the controllers are unsigned.
bool is_int64(const Value& value) {
  constexpr std::uint64_t max = std::numeric_limits<std::int64_t>::max();
  return value.is_int64() || (value.is_uint64() && value.get_uint64() <= max);
}

bool is_int32(const Value& value) {
  using Limits = std::numeric_limits<std::int32_t>;
  if (!is_int64(value)) return false;
  const auto number = value.to_number<std::int64_t>();
  return number >= Limits::min() && number <= Limits::max();
}

bool has_format(const Value& value, std::string_view format) {
  if (format == "int32") return is_int32(value);
  if (format == "int-or-string") return value.is_string() || is_int32(value);
  return format != "quantity" || value.is_string() || value.is_number();
}

bool has_type(const Value& value, std::string_view type) {
  if (type == "string") return value.is_string();
  if (type == "integer") return is_int64(value);
  if (type == "number") return value.is_number();
  if (type == "boolean") return value.is_bool();
  if (type == "array") return value.is_array();
  return type != "object" || value.is_object();
}

std::string_view type_name(const Value& value) {
  switch (value.kind()) {
    case boost::json::kind::string: return "string";
    case boost::json::kind::bool_: return "bool";
    case boost::json::kind::array: return "array";
    case boost::json::kind::object: return "object";
    case boost::json::kind::null: return "null";
    default: return "number";
  }
}

std::string place_or_dot(const Place& place) {
  std::string printed = place.print();
  return printed.empty() ? "." : printed;
}

// The decoder reads the metadata of a custom object with its members sorted by name.
Value sorted_members(const Value& value) {
  if (!value.is_object()) return value;
  std::vector<std::string_view> names;
  for (const auto& each : value.get_object()) names.emplace_back(each.key());
  std::ranges::sort(names);
  json::object out;
  for (const std::string_view name : names) out[name] = value.get_object().at(name);
  return out;
}

std::string metadata_error(const Value& metadata, std::string_view kind) {
  constexpr std::string_view type = "meta.v1.ObjectMeta";
  return kind.empty() ? decoding_error(sorted_members(metadata), type)
                      : decoding_error(metadata, type, {.path = "metadata", .owner = kind});
}

// The value of an entry of a map that is null; nothing if the entry is left out.
std::optional<Value> value_of_null(View schema) {
  if (schema.member("format") == "quantity") return Value("0");
  const bool is_text = schema.member("type") == "string" && !schema.member("format").exists();
  return is_text ? std::optional(Value("")) : std::nullopt;
}

class Fitter {
 public:
  explicit Fitter(std::vector<std::string>& unknown) : unknown_(unknown) {}

  StatusOr<void> fit(Value& value, View schema, const Place& place, const Value* proper) {
    const std::string_view type = schema.member("type").text();
    const std::string_view format = schema.member("format").text();
    if (!has_type(value, type) || !has_format(value, format)) {
      return refuse(bad_request(fmt::format("json: cannot unmarshal {} into the field {} of type {}", type_name(value),
                                            place_or_dot(place), type.empty() ? format : type)));
    }
    if (value.is_object()) return fit_object(value.get_object(), schema, place, proper);
    if (value.is_array()) return fit_list(value.get_array(), schema.member("items"), place, proper);
    if (format == "quantity") return fit_quantity(value, place);
    if (value.is_string()) return fit_text(value, format, place);
    return {};
  }

 private:
  StatusOr<void> fit_object(json::object& object, View schema, const Place& place, const Value* proper) {
    std::vector<std::size_t> gone;
    auto fitted = fit_members(object, schema, place, proper, gone);
    json::erase_members(object, gone);
    return fitted;
  }

  // Adds the indices of the members to remove to `gone`.
  StatusOr<void> fit_members(json::object& object, View schema, const Place& place, const Value* proper,
                             std::vector<std::size_t>& gone) {
    const bool keeps_unknown = schema.member("x-kubernetes-preserve-unknown-fields") == true;
    const View named = schema.member("properties");
    const View others = schema.member("additionalProperties");
    for (std::size_t i = 0; i < object.size(); ++i) {
      auto& member = *(object.begin() + static_cast<std::ptrdiff_t>(i));
      const std::string_view name = member.key();
      const Value* before = proper == nullptr ? nullptr : apiserver::member(*proper, name);
      if (identical(&member.value(), before)) continue;
      const View known = named.member(name);
      const View here = known.exists() ? known : others;
      const Place below(place, name);
      bool keep = true;
      if (!here.exists() && !keeps_unknown) {
        if (unknown_.size() < max_field_errors) unknown_.push_back(below.print(max_shown_path));
        keep = false;
      } else if (member.value().is_null()) {
        keep = !here.exists() || here.member("nullable") == true;
        auto value = known.exists() || keep ? std::nullopt : value_of_null(here);
        if (value) member.value() = std::move(*value);
        keep = keep || value;
      } else if (here.exists()) {
        if (auto fitted = fit(member.value(), here, below, before); !fitted) return fitted;
        keep = !is_left_out(member.value(), here);
      }
      if (!keep) gone.push_back(i);
    }
    return {};
  }

  StatusOr<void> fit_list(json::array& list, View schema, const Place& place, const Value* proper) {
    if (!schema.exists()) return {};
    const json::array* fitted_items = proper == nullptr ? nullptr : proper->if_array();
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Value* before = fitted_items == nullptr ? nullptr : fitted_items->if_contains(i);
      if (identical(&list[i], before)) continue;
      if (list[i].is_null() && schema.member("type") == "object") list[i].emplace_object();
      if (auto fitted = fit(list[i], schema, Place(place, i), before); !fitted) return fitted;
    }
    return {};
  }

  static StatusOr<void> fit_quantity(Value& value, const Place& place) {
    const auto amount = Quantity::parse(value.is_string() ? std::string(value.get_string()) : json::print(value));
    if (!amount) return refuse(bad_request(fmt::format("{}: {}", place.print(), amount.error().message)));
    value = amount->to_string();
    return {};
  }

  static StatusOr<void> fit_text(Value& value, std::string_view format, const Place& place) {
    if (format == "bytes") {
      const auto bytes = Bytes::from_base64(std::string_view(value.get_string()));
      return bytes ? StatusOr<void>()
                   : refuse(bad_request(fmt::format("{}: {}", place.print(), bytes.error().message)));
    }
    if (format != "date-time" && format != "micro-time") return {};
    const auto time = FarTime::parse(std::string_view(value.get_string()));
    if (!time) return refuse(bad_request(fmt::format("{}: {}", place.print(), time.error().message)));
    value = time->is_zero() ? Value() : Value(time->print(format == "micro-time"));
    return {};
  }

  static bool is_empty(const Value& value) {
    if (value.is_string()) return value.get_string().empty();
    if (value.is_array()) return value.get_array().empty();
    if (value.is_object()) return value.get_object().empty();
    return value == Value(0);
  }

  static bool is_left_out(const Value& value, View schema) {
    if (!is_empty(value) || schema.member("x-pintle-keep") == true ||
        schema.member("x-kubernetes-preserve-unknown-fields") == true) {
      return false;
    }
    if (value.is_string()) return !schema.member("default").exists();
    if (value.is_object()) return !schema.member("properties").exists();
    return value.is_array() || schema.member("x-pintle-omit-zero") == true;
  }

  std::vector<std::string>& unknown_;
};

}  // namespace

void fill(Value& value, View schema, const Value* proper) {
  if (proper != nullptr && identical(value, *proper)) return;
  if (json::array* list = value.if_array()) {
    for (Value& item : *list) fill(item, schema.member("items"));
    return;
  }
  json::object* object = value.if_object();
  if (object == nullptr || !schema.exists()) return;
  const View named = schema.member("properties");
  for (const View filled : schema.member("x-pintle-fill").elements()) {
    const std::string_view name = filled.text();
    if (!object->contains(name)) object->emplace(name, named.member(name).member("default").to_value());
  }
  const View others = schema.member("additionalProperties");
  for (auto& below : *object) {
    if (!below.value().is_structured()) continue;
    const std::string_view name = below.key();
    const View known = named.member(name);
    fill(below.value(), known.exists() ? known : others, proper == nullptr ? nullptr : member(*proper, name));
  }
}

StatusOr<void> fit(Value& value, View schema, std::vector<std::string>& unknown, const Value* proper) {
  return Fitter(unknown).fit(value, schema, Place(), proper);
}

StatusOr<void> fit_metadata(Value& object, std::vector<std::string>& unknown, const Value* proper,
                            std::string_view kind) {
  Value& metadata = object.as_object()["metadata"];
  const Value* before = proper == nullptr ? nullptr : member(*proper, "metadata");
  if (identical(&metadata, before)) return {};
  if (metadata.is_null()) metadata.emplace_object();
  std::vector<std::string> strange;
  if (auto fitted = fit(metadata, metadata_schema(), strange, before); !fitted) {
    auto why = metadata_error(metadata, kind);
    return why.empty() ? fitted : refuse(bad_request(std::move(why)));
  }
  for (const std::string& name : strange) {
    if (unknown.size() < max_field_errors) unknown.push_back("metadata." + name);
  }
  json::object ordered(metadata.storage());
  ordered.reserve(metadata.get_object().size());
  for (const auto [name, schema] : metadata_schema().member("properties").members()) {
    if (name == "selfLink") continue;
    if (Value* value = metadata.get_object().if_contains(name)) ordered.emplace(name, std::move(*value));
  }
  metadata = std::move(ordered);
  return {};
}

}  // namespace pintle::apiserver
