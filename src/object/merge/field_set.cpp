// SPDX-License-Identifier: Apache-2.0
#include "field_set.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace pintle {
namespace {

// Returns whether a node in FieldsV1 format contains its own place.
bool hold_this(const json::object& fields) { return fields.empty() || fields.contains("."); }

}  // namespace

std::string readable_element(std::string_view element) {
  const std::string_view text = element.size() > 2 ? element.substr(2) : std::string_view{};
  if (element.starts_with("f:")) return fmt::format(".{}", text);
  if (element.starts_with("v:")) return fmt::format("[={}]", text);
  if (!element.starts_with("k:")) return fmt::format("[{}]", text);
  const auto keys = json::parse(text);
  if (!keys || !keys->is_object()) return fmt::format("[{}]", text);
  std::string out;
  for (const auto& [name, value] : keys->get_object()) {
    out += fmt::format("{}{}={}", out.empty() ? "" : ",", std::string_view(name), json::print(value));
  }
  return "[" + out + "]";
}

FieldSet FieldSet::from_v1(const json::Value& fields) {
  FieldSet set;
  const json::object* members = fields.if_object();
  if (members == nullptr || members->empty()) {
    set.member_ = true;
    return set;
  }
  for (const auto& [element, below] : *members) {
    if (element == ".") {
      set.member_ = true;
    } else {
      set.children_.emplace(element, from_v1(below));
    }
  }
  return set;
}

json::Value FieldSet::to_v1(const boost::json::storage_ptr& storage) const {
  json::object out(storage);
  if (member_ && !children_.empty()) out["."] = json::object{};
  for (const auto& [element, below] : children_) out[element] = below.to_v1(storage);
  return out;
}

bool FieldSet::is_within(const json::Value& fields) const {
  const json::object* there = fields.if_object();
  if (there == nullptr || (member_ && !hold_this(*there))) return false;
  return std::all_of(children_.begin(), children_.end(), [&](const auto& child) {
    const json::Value* below = there->if_contains(child.first);
    return below != nullptr && child.second.is_within(*below);
  });
}

bool FieldSet::meets(const json::Value& fields) const {
  const json::object* there = fields.if_object();
  if (there == nullptr) return false;
  if (member_ && hold_this(*there)) return true;
  return std::any_of(children_.begin(), children_.end(), [&](const auto& child) {
    const json::Value* below = there->if_contains(child.first);
    return below != nullptr && child.second.meets(*below);
  });
}

const FieldSet* FieldSet::child(std::string_view element) const {
  const auto found = children_.find(element);
  return found == children_.end() ? nullptr : &found->second;
}

FieldSet& FieldSet::below(std::string_view element) {
  const auto found = children_.find(element);
  return found != children_.end() ? found->second : children_[std::string(element)];
}

void FieldSet::erase(std::string_view element) {
  if (const auto found = children_.find(element); found != children_.end()) children_.erase(found);
}

void FieldSet::unite(const FieldSet& other) {
  member_ = member_ || other.member_;
  for (const auto& [element, theirs] : other.children_) below(element).unite(theirs);
}

void FieldSet::subtract(const FieldSet& other) {
  member_ = member_ && !other.member_;
  for (const auto& [element, theirs] : other.children_) {
    const auto ours = children_.find(element);
    if (ours == children_.end()) continue;
    ours->second.subtract(theirs);
    if (ours->second.empty()) children_.erase(ours);
  }
}

FieldSet FieldSet::intersection(const FieldSet& other) const {
  FieldSet both;
  both.member_ = member_ && other.member_;
  for (const auto& [element, ours] : children_) {
    const FieldSet* theirs = other.child(element);
    if (theirs == nullptr) continue;
    FieldSet below = ours.intersection(*theirs);
    if (!below.empty()) both.children_.emplace(element, std::move(below));
  }
  return both;
}

void FieldSet::tidy() {
  for (auto child = children_.begin(); child != children_.end();) {
    child->second.tidy();
    child = child->second.empty() ? children_.erase(child) : std::next(child);
  }
}

std::vector<std::string> FieldSet::paths() const {
  std::vector<std::string> out;
  append_paths("", out);
  return out;
}

void FieldSet::append_paths(const std::string& prefix, std::vector<std::string>& out) const {
  if (member_) out.push_back(prefix);
  for (const auto& [element, below] : children_) below.append_paths(prefix + readable_element(element), out);
}

}  // namespace pintle
