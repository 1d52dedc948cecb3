// SPDX-License-Identifier: Apache-2.0
#include <pintle/controller/status_writer.hpp>

#include <algorithm>
#include <utility>

#include <pintle/json/pointer.hpp>

#include "write_conflict.hpp"

namespace pintle {
namespace {

constexpr std::string_view conditions_pointer = "/conditions";

std::string_view text_of(const json::object& object, std::string_view member) {
  const json::Value* found = object.if_contains(member);
  return found == nullptr || !found->is_string() ? std::string_view() : std::string_view(found->get_string());
}

bool is_list_of_conditions(const json::Value& value) {
  return value.is_array() &&
         std::all_of(value.get_array().begin(), value.get_array().end(), [](const json::Value& one) {
           return one.is_object() && !text_of(one.get_object(), "type").empty();
         });
}

// Returns whether an entry has every member of a condition with the same value. A missing member counts as 0.
bool has_members_of(const json::object& entry, const json::object& condition) {
  return std::all_of(condition.begin(), condition.end(), [&](const auto& member) {
    const json::Value* there = entry.if_contains(member.key());
    return there == nullptr ? member.value() == json::Value(0) : *there == member.value();
  });
}

// Checks a condition that has the members of meta/v1. Any other condition is checked by the schema of its kind only.
Result<void> check_if_common(const json::Value& condition) {
  const json::object& members = condition.get_object();
  StatusCondition common;
  internal::Reading reading;
  const json::Document document(condition);
  const bool is_common =
      members.contains("reason") && members.contains("message") &&
      internal::Operations<StatusCondition>::read(document.root(), &common, internal::Place{}, reading);
  return is_common ? validate_condition(common) : Result<void>();
}

const json::object* find_by_type(const json::Value* list, std::string_view type) {
  if (list == nullptr || !list->is_array()) return nullptr;
  for (const json::Value& one : list->get_array()) {
    if (one.is_object() && text_of(one.get_object(), "type") == type) return &one.get_object();
  }
  return nullptr;
}

// A null in a merge patch means removal, so it cannot be a value.
void drop_nulls(json::Value& value) {
  if (json::array* list = value.if_array()) std::for_each(list->begin(), list->end(), drop_nulls);
  json::object* members = value.if_object();
  if (members == nullptr) return;
  for (auto at = members->begin(); at != members->end();) {
    if (at->value().is_null()) {
      at = members->stable_erase(at);
    } else {
      drop_nulls((at++)->value());
    }
  }
}

void put_condition(json::Value& status, const json::object& wanted, std::int64_t generation) {
  json::Value& list = status.as_object()["conditions"];
  if (!list.is_array()) list.emplace_array();
  const std::string_view type = text_of(wanted, "type");
  const auto there = std::find_if(list.get_array().begin(), list.get_array().end(), [&](const json::Value& one) {
    return one.is_object() && text_of(one.get_object(), "type") == type;
  });
  if (there == list.get_array().end()) {
    json::Value& added = list.get_array().emplace_back(wanted);
    drop_nulls(added);
    added.get_object()["observedGeneration"] = generation;
    return;
  }
  json::object& entry = there->as_object();
  const bool keeps_time = text_of(entry, "status") == text_of(wanted, "status") && entry.contains("lastTransitionTime");
  for (const auto& [member, value] : wanted) {
    if (value.is_null()) {
      entry.erase(member);
    } else if (member != "lastTransitionTime" || !keeps_time) {
      entry[member] = value;
    }
  }
  entry["observedGeneration"] = generation;
}

void drop_condition(json::Value& status, std::string_view type) {
  json::Value* list = status.as_object().if_contains("conditions");
  if (list == nullptr || !list->is_array()) return;
  json::array& all = list->get_array();
  all.erase(std::remove_if(
                all.begin(), all.end(),
                [&](const json::Value& one) { return one.is_object() && text_of(one.get_object(), "type") == type; }),
            all.end());
}

json::Value status_of(const Object& object) {
  const json::View status = object.root().member("status");
  return status.is_object() ? status.to_value() : json::Value(json::object());
}

bool is_missing_status_subresource(const Error& error) {
  return error.code == ErrorCode::unsupported && error.reason == no_subresource;
}

Error no_status(Error error, const GroupVersionKind& kind) {
  error.message += "; declare a status for " + kind.kind + " (a member `status` of its struct, or `subresources: " +
                   "{status: {}}` in its CustomResourceDefinition), or do not set one";
  return std::move(error).terminal();
}

}  // namespace

// ---- StatusDraft ----

StatusDraft::StatusDraft(Object object, const Clock& clock)
    : base_(std::move(object)), clock_(&clock), generation_(base_.generation()) {}

void StatusDraft::set(std::string_view pointer, json::Value value) {
  if (auto split = json::split_pointer(pointer); !split || split->empty()) {
    return keep(make_error(ErrorCode::invalid, "\"" + std::string(pointer) +
                                                   "\" is not a JSON pointer to a member of the " +
                                                   "status; use one such as \"/phase\""));
  }
  if (pointer == conditions_pointer && is_list_of_conditions(value)) return set_conditions(value.get_array());
  if (pointer.starts_with("/conditions/")) {
    return keep(
        make_error(ErrorCode::invalid, "\"" + std::string(pointer) + "\" is part of a condition; use set_condition()"));
  }
  using Kind = Change::Kind;
  const Kind kind = value.is_null() ? Kind::remove : Kind::set;
  drop_nulls(value);
  record({.kind = kind, .where = std::string(pointer), .value = std::move(value)});
}

void StatusDraft::set_condition(StatusCondition condition) {
  if (auto checked = validate_condition(condition); !checked) return keep(std::move(checked.error()));
  set_condition_value(internal::Operations<StatusCondition>::write(&condition).as_object());
}

void StatusDraft::remove_condition(std::string_view type) {
  record({.kind = Change::Kind::remove_condition, .where = std::string(type)});
}

void StatusDraft::set_condition_value(json::object condition) {
  static constexpr std::string_view never = "1970-01-01T00:00:00Z";
  const std::string_view given = text_of(condition, "lastTransitionTime");
  if (given.empty() || given == never) condition["lastTransitionTime"] = format_time(clock_->wall_now());
  std::string type(text_of(condition, "type"));
  record({.kind = Change::Kind::condition, .where = std::move(type), .value = std::move(condition)});
}

// The last change of a member or condition replaces earlier ones, so there is at most one change of each.
void StatusDraft::record(Change change) {
  const auto is_condition = [](const Change& one) {
    return one.kind == Change::Kind::condition || one.kind == Change::Kind::remove_condition;
  };
  json::Value status = value();
  if (auto fits = apply(status, change, generation_); !fits) return keep(std::move(fits.error()));
  std::erase_if(changes_, [&](const Change& one) {
    return one.where == change.where && is_condition(one) == is_condition(change);
  });
  changes_.push_back(std::move(change));
}

void StatusDraft::keep(Error error) {
  if (!error_) error_ = std::move(error);
}

void StatusDraft::set_known(const json::Value& known, const json::Value& wanted) {
  const json::Document now(value());
  differ("", now.root(), &known, wanted);
}

// `there` is the current value of a member, `known` the part of it that the struct can represent, and `wanted` the
// value of the struct.
void StatusDraft::differ(const std::string& at, json::View there, const json::Value* known, const json::Value& wanted) {
  if (at == conditions_pointer && is_list_of_conditions(wanted)) return set_conditions(wanted.get_array());
  const json::object* members = wanted.if_object();
  if (members == nullptr || (!there.is_object() && !at.empty())) {
    if (!there.exists() || known == nullptr || *known != wanted) set(at, wanted);
    return;
  }
  const json::object* seen = known == nullptr ? nullptr : known->if_object();
  for (const auto& [name, value] : *members) {
    const json::Value* before = seen == nullptr ? nullptr : seen->if_contains(name);
    differ(at + "/" + json::escape_token(name), there.member(name), before, value);
  }
  if (seen == nullptr) return;
  for (const auto& [name, value] : *seen) {
    if (members->contains(name) || !there.member(name).exists()) continue;
    const std::string below = at + "/" + json::escape_token(name);
    if (below != conditions_pointer || !is_list_of_conditions(value)) remove(below);
  }
}

void StatusDraft::set_conditions(const json::array& wanted) {
  const json::Value before = status_of(base_);
  for (const json::Value& one : wanted) {
    const json::object& condition = one.get_object();
    const json::object* read_as = find_by_type(json::find(before, conditions_pointer), text_of(condition, "type"));
    if (read_as != nullptr && has_members_of(*read_as, condition)) continue;
    if (auto checked = check_if_common(one); !checked) {
      keep(std::move(checked.error()));
    } else {
      set_condition_value(condition);
    }
  }
}

bool StatusDraft::read(const internal::ValueType& type, void* to, internal::Reading& reading) const {
  const json::Document now(value());
  if (now.root().is_null()) return true;
  return type.read(now.root(), to, internal::Place{nullptr, "status", 0}, reading);
}

json::Value StatusDraft::value() const {
  if (changes_.empty()) return base_.root().member("status").to_value();
  auto applied = applied_to(base_);
  // Each change was applied once when it was recorded; it can fail only on another base.
  return applied ? std::move(*applied) : status_of(base_);
}

Result<json::Value> StatusDraft::applied_to(const Object& object) const {
  json::Value status = status_of(object);
  for (const Change& change : changes_) {
    if (auto done = apply(status, change, generation_); !done) return fail(std::move(done.error()));
  }
  return status;
}

Result<void> StatusDraft::apply(json::Value& status, const Change& change, std::int64_t generation) {
  if (!status.is_object()) status.emplace_object();
  switch (change.kind) {
    case Change::Kind::set: return json::set(status, change.where, change.value).with_operation("set the status");
    case Change::Kind::remove: json::erase(status, change.where); return {};
    case Change::Kind::condition: put_condition(status, change.value.get_object(), generation); return {};
    case Change::Kind::remove_condition: drop_condition(status, change.where); return {};
  }
  return {};
}

void StatusDraft::rebase(const Object& newer) {
  if (newer.uid() == base_.uid()) base_ = newer;
}

void StatusDraft::set_observed_object(const Object& newer) {
  if (newer.uid() != base_.uid()) return;
  base_ = newer;
  generation_ = newer.generation();
}

// ---- StatusWriter ----

StatusWriter::StatusWriter(Client& client, std::string field_manager)
    : client_(client), field_manager_(std::move(field_manager)) {}

Result<Object> StatusWriter::flush(StatusDraft& draft, const std::stop_token& stop, const StillValid& still_valid) {
  Result<Object> written = draft.base_;
  if (!draft.is_gone_ && !draft.changes_.empty()) written = write(draft, stop, still_valid);
  if (!written) return std::move(written).with_operation("write the status");
  if (draft.error_) return fail(Error(*draft.error_).with_operation("write the status"));
  return written;
}

Outcome StatusWriter::finish(Outcome outcome, StatusDraft& draft, const std::stop_token& stop) {
  return join(std::move(outcome), flush(draft, stop));
}

Result<Object> StatusWriter::write(StatusDraft& draft, const std::stop_token& stop, const StillValid& still_valid) {
  const GroupVersionKind kind = draft.base_.group_version_kind();
  const ObjectKey key = draft.base_.key();
  for (int attempt = 1;; ++attempt) {
    auto target = draft.applied_to(draft.base_);
    if (!target) return fail(std::move(target.error()));
    json::Value difference = json::create_merge_patch(status_of(draft.base_), *target);
    if (difference.as_object().empty()) {
      draft.changes_.clear();
      return draft.base_;
    }
    const json::Value patch = json::object{
        {"metadata", json::object{{"resourceVersion", draft.base_.resource_version()}}},
        {"status", std::move(difference)},
    };
    auto written = client_.patch(kind, key, patch, {.field_manager = field_manager_, .subresource = "status"}, stop);
    if (written) {
      draft.rebase(*written);
      draft.changes_.clear();
      return written;
    }
    if (is_missing_status_subresource(written.error())) return fail(no_status(std::move(written.error()), kind));
    if (written.error().code == ErrorCode::not_found) {
      draft.is_gone_ = true;
      return draft.base_;
    }
    if (!is_write_conflict(written.error()) || attempt == max_write_attempts) return written;
    auto there = read_again(draft, stop);
    if (!there) return fail(std::move(there.error()));
    if (!*there) return draft.base_;
    if (!still_valid) continue;
    if (auto right = still_valid(draft.base_); !right) return fail(std::move(right.error()));
  }
}

// Returns whether the object still exists.
Result<bool> StatusWriter::read_again(StatusDraft& draft, const std::stop_token& stop) {
  const auto latest = client_.get(draft.base_.group_version_kind(), draft.base_.key(), stop);
  if (!latest && latest.error().code != ErrorCode::not_found) return fail(latest.error());
  draft.is_gone_ = !latest || latest->uid() != draft.base_.uid();
  if (!draft.is_gone_) draft.rebase(*latest);
  return !draft.is_gone_;
}

Outcome join(Outcome outcome, const Result<Object>& flushed) {
  if (flushed) return outcome;
  // A flush that was cancelled by a stop adds nothing to the failure of the reconcile.
  if (outcome.as_failed() != nullptr && flushed.error().code == ErrorCode::cancelled) return outcome;
  return merge(std::move(outcome), failed(flushed.error()));
}

}  // namespace pintle
