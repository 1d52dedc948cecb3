// SPDX-License-Identifier: Apache-2.0
#include "claim_rules.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include <pintle/object/quantity.hpp>

#include "apiserver/registry/names/label_rules.hpp"
#include "apiserver/registry/names/name_rules.hpp"
#include "apiserver/registry/refusal.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::object;
using json::Value;
using json::View;

using Causes = std::vector<StatusCause>;

constexpr const char* claimed_storage = "/spec/resources/requests/storage";

void validate_modes(View modes, const std::string& field, Causes& causes) {
  const std::vector<std::string> known{"ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"};
  if (modes.empty()) causes.push_back(required(field, "at least 1 access mode is required"));
  std::size_t known_modes = 0;
  bool is_exclusive = false;
  for (const View mode : modes.elements()) {
    is_exclusive = is_exclusive || mode == "ReadWriteOncePod";
    if (std::find(known.begin(), known.end(), mode.text()) == known.end()) {
      causes.push_back(not_supported(field, Value(mode.text()), known));
    } else if (mode != "ReadWriteOncePod") {
      ++known_modes;
    }
  }
  if (!is_exclusive || known_modes == 0) return;
  causes.push_back(forbidden_field(field, "may not use ReadWriteOncePod with other access modes"));
}

void validate_storage(View amount, const std::string& field, Causes& causes) {
  if (!amount.exists()) return causes.push_back(required(field));
  const auto quantity = Quantity::from_json(amount);
  if (!quantity || (!quantity->is_negative() && !quantity->is_zero())) return;
  causes.push_back(invalid_value(field, Value(quantity->to_string()), "must be greater than zero"));
}

// Returns the spec without the members that may change now.
Value fixed_claim(const Value& claim, const Value& other, bool is_bound) {
  Value spec = *member(claim, "spec");
  if (!spec.is_object()) return spec;
  if (text_at(other, "/spec/volumeName").empty()) spec.get_object().erase("volumeName");
  // A default class may be set later.
  if (json::find(other, "/spec/storageClassName") == nullptr) spec.get_object().erase("storageClassName");
  if (!is_bound) return spec;
  if (object* requests = object_at(spec, "/resources/requests")) requests->erase("storage");
  spec.get_object().erase("volumeAttributesClassName");
  return spec;
}

}  // namespace

void validate_claim(View spec, const std::string& field, Causes& causes) {
  validate_modes(spec.member("accessModes"), field + ".accessModes", causes);
  validate_selector(spec.member("selector"), field + ".selector", causes);
  validate_storage(spec["/resources/requests/storage"], field + ".resources[storage]", causes);
  for (const char* name : {"storageClassName", "volumeAttributesClassName"}) {
    const std::string_view class_name = spec.member(name).text();
    if (!class_name.empty())
      add_errors(fmt::format("{}.{}", field, name), class_name, subdomain_errors(class_name), causes);
  }
}

void validate_claim_change(const Value& next, const Value& old, Causes& causes) {
  const bool is_bound = text_at(next, "/status/phase") == "Bound";
  if (!json::equal(fixed_claim(next, old, is_bound), fixed_claim(old, old, is_bound))) {
    causes.push_back(forbidden_field("spec",
                                     "spec is immutable after creation except resources.requests and "
                                     "volumeAttributesClassName for bound claims"));
  }
  const auto amount = [](const Value& claim, const char* pointer) {
    const Value* found = json::find(claim, pointer);
    const json::Document document(found == nullptr ? Value() : *found);
    return Quantity::from_json(document.root()).value_or(Quantity());
  };
  const Quantity is = amount(next, claimed_storage);
  // A failed expansion can be taken back, but not below what there is.
  if (is < amount(old, claimed_storage) && is <= amount(old, "/status/capacity/storage")) {
    causes.push_back(forbidden_field("spec.resources.requests.storage", "field can not be less than status.capacity"));
  }
  const std::string_view mode = text_at(next, "/spec/volumeMode");
  if (mode != text_at(old, "/spec/volumeMode")) causes.push_back(immutable_field("volumeMode", Value(mode)));
}

}  // namespace pintle::apiserver
