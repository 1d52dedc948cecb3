// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/merge/managed_fields.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "managed_entries.hpp"
#include "typed_walk.hpp"

namespace pintle {
namespace {

using json::Value;
using json::View;

// The fields that only the server sets. No manager owns them.
const FieldSet& unowned() {
  static const FieldSet set = [] {
    FieldSet out;
    out.below("f:apiVersion").insert();
    out.below("f:kind").insert();
    FieldSet& metadata = out.below("f:metadata");
    metadata.insert();
    for (const char* name : {"creationTimestamp", "generation", "managedFields", "name", "namespace", "resourceVersion",
                             "selfLink", "uid"}) {
      metadata.below(std::string("f:") + name).insert();
    }
    return out;
  }();
  return set;
}

bool has_uid(const Value& object) {
  const json::object* members = object.if_object();
  const Value* metadata = members == nullptr ? nullptr : members->if_contains("metadata");
  return metadata != nullptr && metadata->is_object() && metadata->get_object().contains("uid");
}

void drop_managed_fields(Value& object) {
  Value* metadata = object.as_object().if_contains("metadata");
  if (metadata != nullptr && metadata->is_object()) metadata->get_object().erase("managedFields");
}

FieldSet touched(const Comparison& difference) {
  FieldSet out = difference.added;
  out.unite(difference.modified);
  return out;
}

// The difference that a write makes, in each version in which a manager owns fields.
class Differences {
 public:
  Differences(const Value& before, const Value& after, const std::string& api_version, const Comparison& own,
              const ManagedVersions& versions)
      : before_(before), after_(after), api_version_(api_version), own_(own), versions_(versions) {}

  // Returns nothing if the objects cannot be converted to the version of the entry.
  const Comparison* in_version_of(const ManagedEntry& entry) {
    const std::string& version = entry.api_version;
    if (!versions_.convert || version == api_version_) return &own_;
    auto [found, is_new] = others_.try_emplace(version);
    if (is_new) {
      const auto before = versions_.convert(before_, version);
      const auto after = versions_.convert(after_, version);
      if (before && after) found->second = compare_fields(before->object, after->object, after->schema);
    }
    return found->second ? &*found->second : nullptr;
  }

  // Takes the changed and removed fields from a manager.
  void take_from(ManagedEntry& entry) {
    const Comparison* difference = in_version_of(entry);
    if (difference == nullptr) return;
    entry.fields.subtract(touched(*difference));
    entry.fields.subtract(difference->removed);
  }

 private:
  const Value& before_;
  const Value& after_;
  const std::string& api_version_;
  const Comparison& own_;
  const ManagedVersions& versions_;
  std::map<std::string, std::optional<Comparison>> others_;
};

ManagedEntry& entry_of(ManagedEntries& entries, const FieldManager& manager, bool applies) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const ManagedEntry& entry) { return entry.belongs_to(manager, applies); });
  if (found != entries.end()) return *found;
  return entries.emplace_back(ManagedEntry{.manager = manager.name,
                                           .operation = applies ? "Apply" : "Update",
                                           .api_version = manager.api_version,
                                           .subresource = manager.subresource});
}

// Adds an entry to an existing object without entries: the manager "before-first-apply" owns its fields.
void adopt_untracked(ManagedEntries& entries, const Value& live, View schema, WallTime now) {
  if (!entries.empty() || !has_uid(live)) return;
  FieldManager before{.name = "before-first-apply"};
  if (const Value* version = live.as_object().if_contains("apiVersion"))
    before.api_version = version->as_string().c_str();
  ManagedEntry& entry = entry_of(entries, before, false);
  entry.fields = compare_fields(json::object(), live, schema).added;
  entry.fields.subtract(unowned());
  entry.time = format_time(now);
}

// The fields of the last apply of this manager that `config` does not contain and no other manager owns.
FieldSet dropped_fields(const FieldSet& last, const Value& config, const ManagedEntries& entries,
                        const ManagedEntry& own, View schema) {
  FieldSet owned = claimed_fields(config, schema, true);
  owned.below("f:metadata").below("f:name").insert();
  for (const ManagedEntry& entry : entries) {
    if (&entry != &own) owned.unite(entry.fields);
  }
  FieldSet gone = with_named_parents(last, schema);
  gone.subtract(with_named_parents(owned, schema));
  return gone;
}

constexpr std::string_view conflict_with = "conflict with ";

std::string describe(const ManagedEntry& entry) {
  std::string out = fmt::format("{}\"{}\"", conflict_with, entry.manager);
  if (!entry.subresource.empty()) out += fmt::format(" with subresource \"{}\"", entry.subresource);
  if (entry.operation != "Update") return out;
  out += fmt::format(" using {}", entry.api_version);
  if (!entry.time.empty()) out += fmt::format(" at {}", entry.time);
  return out;
}

// One conflict is a line; several are a list for each manager.
std::string print_conflicts(const std::vector<StatusCause>& causes) {
  if (causes.size() == 1) {
    return fmt::format("Apply failed with 1 conflict: {}: {}", causes.front().message, causes.front().field);
  }
  std::map<std::string_view, std::string> places;
  for (const StatusCause& cause : causes) {
    const std::string_view manager = std::string_view(cause.message).substr(conflict_with.size());
    places[manager] += "\n- " + cause.field;
  }
  std::vector<std::string> lists;
  for (const auto& [manager, fields] : places) lists.push_back(fmt::format("conflicts with {}:{}", manager, fields));
  return fmt::format("Apply failed with {} conflicts: {}", causes.size(), fmt::join(lists, "\n"));
}

Error conflict_error(const std::vector<StatusCause>& causes) {
  Error error = make_error(ErrorCode::conflict, print_conflicts(causes));
  error.reason = "Conflict";
  error.http_status = 409;
  error.causes = causes;
  return error;
}

// Fields of other managers to which this write gives another value.
std::vector<StatusCause> conflicts(const ManagedEntries& entries, const ManagedEntry& own, Differences& differences) {
  std::vector<StatusCause> causes;
  for (const ManagedEntry& entry : entries) {
    const Comparison* difference = &entry == &own ? nullptr : differences.in_version_of(entry);
    if (difference == nullptr) continue;
    for (const std::string& path : entry.fields.intersection(touched(*difference)).paths()) {
      causes.push_back({.reason = "FieldManagerConflict", .message = describe(entry), .field = path});
    }
  }
  return causes;
}

}  // namespace

Result<Value> apply_configuration(const Value& live, const Value& config, View schema, const FieldManager& manager,
                                  const ApplyConfigurationOptions& options, const ManagedVersions& versions) {
  Value before = live.is_object() ? live : Value(json::object());
  ManagedEntries entries = read_managed_entries(before).value_or(ManagedEntries());
  adopt_untracked(entries, before, schema, options.now);
  drop_managed_fields(before);

  ManagedEntry& own = entry_of(entries, manager, true);
  const FieldSet last = own.fields;
  FieldSet claimed = claimed_fields(config, schema);
  auto merged = merge_typed(before, config, schema);
  if (!merged) return merged;
  remove_fields(*merged, dropped_fields(last, config, entries, own, schema), schema);

  const Comparison difference = compare_fields(before, *merged, schema);
  Differences differences(before, *merged, manager.api_version, difference, versions);
  if (!options.force) {
    if (const auto causes = conflicts(entries, own, differences); !causes.empty()) return fail(conflict_error(causes));
  }
  for (ManagedEntry& entry : entries) {
    if (&entry != &own) differences.take_from(entry);
  }
  claimed.subtract(unowned());
  if (!(claimed == last) || own.api_version != manager.api_version || !json::equal(before, *merged))
    own.time = format_time(options.now);
  own.fields = std::move(claimed);
  own.api_version = manager.api_version;
  write_managed_entries(*merged, std::move(entries));
  return merged;
}

void record_update(const Value& live, Value& next, View schema, const FieldManager& manager, WallTime now,
                   const ManagedVersions& versions) {
  // A fast path: in most writes, the manager already owns the fields that it changes.
  std::optional<Comparison> difference;
  if (!versions.convert && have_same_entries(live, next)) {
    difference = compare_fields(live, next, schema);
    FieldSet changed = touched(*difference);
    changed.subtract(unowned());
    if (renew_managed_entry(next, manager, changed, difference->removed, format_time(now))) return;
  }
  ManagedEntries entries;
  if (!manager.subresource.empty() || !resets_managed_fields(next)) {
    auto brought = manager.subresource.empty() ? read_managed_entries(next) : std::nullopt;
    if (!brought || brought->empty()) brought = read_managed_entries(live);
    entries = std::move(brought).value_or(ManagedEntries());
  }
  drop_managed_fields(next);
  if (entries.empty() && has_uid(live)) return;  // owners are not tracked before the first apply

  const Value nothing = json::object();
  const Value& before = live.is_object() ? live : nothing;
  if (!difference) difference = compare_fields(before, next, schema);
  FieldSet changed = touched(*difference);
  Differences differences(before, next, manager.api_version, *difference, versions);
  for (ManagedEntry& entry : entries) differences.take_from(entry);
  changed.subtract(unowned());
  if (!changed.empty()) {
    ManagedEntry& own = entry_of(entries, manager, false);
    own.fields.unite(changed);
    own.time = format_time(now);
  }
  write_managed_entries(next, std::move(entries));
}

Value fields_v1(const Value& object, View schema) {
  FieldSet fields = claimed_fields(object, schema);
  fields.subtract(unowned());
  return fields.to_v1();
}

}  // namespace pintle
