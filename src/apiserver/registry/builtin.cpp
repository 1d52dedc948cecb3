// SPDX-License-Identifier: Apache-2.0
#include "builtin.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "cells.hpp"
#include "fit.hpp"
#include "place.hpp"
#include "rules.hpp"
#include "table/decoding.hpp"
#include "values.hpp"
#include "words.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

// Reports texts that are not in the enum of their type. Empty texts are left to the rules of the kind.
void check_enums(const Value& value, View schema, const Place& place, std::vector<StatusCause>& causes) {
  if (!schema.exists()) return;
  if (const json::object* object = value.if_object()) {
    const View named = schema.member("properties");
    const View others = schema.member("additionalProperties");
    // A rule of each kind checks the operators of these requirements, which have other messages.
    const bool is_requirement =
        named.member("values").exists() && (named.member("key").exists() || named.member("scopeName").exists());
    for (const auto& [name, member] : *object) {
      const View known = named.member(name);
      if (is_requirement && (name == "operator" || name == "scopeName")) continue;
      check_enums(member, known.exists() ? known : others, Place(place, std::string_view(name)), causes);
    }
  } else if (const json::array* list = value.if_array()) {
    const View items = schema.member("items");
    for (std::size_t i = 0; i < list->size(); ++i) check_enums((*list)[i], items, Place(place, i), causes);
  } else if (const View known = schema.member("enum"); known.exists() && value.is_string()) {
    std::vector<std::string> supported;
    for (const View one : known.elements()) supported.emplace_back(one.text());
    const std::string_view text = value.get_string();
    if (text.empty() || std::find(supported.begin(), supported.end(), text) != supported.end()) return;
    causes.push_back(not_supported(place.print(), value, supported));
  }
}

std::vector<Subresource> subresources(const KindFacts& facts) {
  std::vector<Subresource> out;
  for (const std::string_view one : split(facts.subresources, ';')) {
    const auto words = split(one, ' ');
    const auto of = split(words[1], '/');
    Subresource part{
        .name = std::string(words[0]), .kind = std::string(of.back()), .verbs = copies(split(words[2], ','))};
    if (of.size() == 3) {
      part.group = of[0];
      part.version = of[1];
    }
    out.push_back(std::move(part));
  }
  return out;
}

std::vector<Column> columns(const KindFacts& facts, bool all) {
  std::vector<Column> out;
  for (const std::string_view one : split(facts.columns, ';')) {
    const auto parts = split(one, '|');
    if (!all && parts[0] != "Name" && parts[0] != "Age") continue;
    out.push_back({.name = std::string(parts[0]),
                   .type = std::string(parts[1]),
                   .format = std::string(parts[2]),
                   .priority = parts[3] == "1" ? 1 : 0});
  }
  return out;
}

// "spec.nodeName" → /spec/nodeName, unless a rule contains another pointer.
void add_fields(Resource& out, const KindFacts& facts, const KindRules& rules) {
  const auto labels = split(facts.fields, ' ');
  const auto known = [&](std::string_view label) {
    return std::find(labels.begin(), labels.end(), label) != labels.end();
  };
  if (!labels.empty()) out.selects_namespace = known("metadata.namespace");
  for (const std::string_view label : labels) {
    if (label.starts_with("metadata.")) continue;
    std::string pointer = fmt::format("/{}", label);
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    out.fields.push_back({.label = std::string(label), .pointer = std::move(pointer)});
  }
  for (const FieldRule& rule : rules.fields) {
    const auto found = std::find_if(out.fields.begin(), out.fields.end(),
                                    [&](const SelectableField& field) { return field.label == rule.label; });
    if (found != out.fields.end()) {
      *found = {std::string(rule.label), std::string(rule.pointer), std::string(rule.fallback),
                std::string(rule.other_pointer)};
    }
  }
}

ResourcePtr builtin_resource(const KindFacts& facts, const std::shared_ptr<const Schemas>& schemas) {
  const KindRules rules = rules_of(facts.group, facts.kind);
  const BuiltinKind kind{.facts = facts, .schemas = schemas};
  const StrategyPtr strategy = rules.strategy != nullptr ? rules.strategy(kind) : shown_strategy(kind);
  Resource out;
  out.group = facts.group;
  out.version = facts.version;
  out.plural = facts.plural;
  out.singular = facts.singular;
  out.kind = facts.kind;
  out.list_kind = fmt::format("{}List", facts.kind);
  out.short_names = copies(split(facts.short_names, ' '));
  out.categories = copies(split(facts.categories, ' '));
  out.verbs = copies(split(facts.verbs, ' '));
  out.subresources = subresources(facts);
  out.namespaced = facts.namespaced;
  out.is_review = facts.kind.ends_with("Review");
  out.collection = rules.collection.empty() ? out.group_resource() : std::string(rules.collection);
  out.stored_api_version = rules.stored_as.empty() ? out.api_version() : std::string(rules.stored_as);
  out.converts = out.stored_api_version != out.api_version();
  out.shares_storage = !rules.stored_as.empty();
  out.has_generation = rules.has_generation;
  out.has_status = out.subresource("status") != nullptr;
  out.has_finalize = out.subresource("finalize") != nullptr;
  if (out.has_status) out.status_metadata = copies(split(rules.status_metadata, ' '));
  if (out.subresource("scale") != nullptr) {
    out.scale = ScaleSubresource{
        .spec_replicas = "/spec/replicas", .status_replicas = "/status/replicas", .label_selector = "/spec/selector"};
  }
  out.takes_unconditional_update = !rules.needs_version;
  out.takes_create_on_update = rules.puts;
  out.deprecation = rules.deprecation;
  out.columns = columns(facts, strategy->has_own_cells());
  add_fields(out, facts, rules);
  out.strategy = strategy;
  out.storage_hash = storage_hash_of(out);
  return std::make_shared<const Resource>(std::move(out));
}

}  // namespace

StatusOr<void> BuiltinStrategy::accept(Value& object, const Value& proper, std::vector<std::string>& unknown) const {
  Value metadata = json::object(object.storage());  // set aside: it is already fitted
  metadata.swap(object.as_object()["metadata"]);
  if (auto fitted = fit(object, schema(), unknown, &proper); !fitted) {
    auto why = decoding_error(object, facts_.type);
    return why.empty() ? fitted : refuse(bad_request(std::move(why)));
  }
  fill(object, schema(), &proper);
  metadata.swap(object.as_object()["metadata"]);
  set_defaults(object);
  return {};
}

void BuiltinStrategy::prepare_create(Value& object) const {
  if (!resets_status() || !schema().member("properties").member("status").exists()) return;
  object.as_object().erase("status");
  fill(object, schema());
}

// Unchanged members were checked before.
void BuiltinStrategy::validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const {
  const View named = schema().member("properties");
  const Place whole;
  for (const auto& [name, value] : next.as_object()) {
    const Value* before = old == nullptr ? nullptr : member(*old, name);
    if (name == "metadata" || identical(&value, before)) continue;
    check_enums(value, named.member(name), Place(whole, std::string_view(name)), causes);
  }
}

Value BuiltinStrategy::zero() const {
  Value object = json::object();
  fill(object, schema());
  object.get_object().erase("metadata");
  return object;
}

json::array BuiltinStrategy::cells(View object, WallTime now) const {
  json::array out;
  for (const std::string_view one : split(facts_.columns, ';')) {
    const auto [column, rest] = cut(one, '|');
    if (column == "Name") {
      out.emplace_back(object["/metadata/name"].text());
    } else if (column == "Age") {
      out.emplace_back(age_cell(object, now));
    } else if (has_own_cells()) {
      out.emplace_back(cell(column, object, now));
    }
  }
  return out;
}

std::vector<ResourcePtr> builtin_resources() {
  const auto schemas = std::make_shared<const Schemas>();
  std::vector<ResourcePtr> out;
  out.reserve(builtin_kinds().size());
  for (const KindFacts& facts : builtin_kinds()) out.push_back(builtin_resource(facts, schemas));
  return out;
}

}  // namespace pintle::apiserver
