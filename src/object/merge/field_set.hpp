// SPDX-License-Identifier: Apache-2.0
// FieldSet: a set of fields of an object, as a tree of path elements.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/json/value.hpp>

namespace pintle {

// Path elements have the format of FieldsV1: "f:replicas" is a member, "k:{\"type\":\"Ready\"}" an item of a list map,
// "v:\"a\"" an item of a set. A set contains the places that were inserted, not the places below them. A plain value.
class FieldSet {
 public:
  using Children = std::map<std::string, FieldSet, std::less<>>;

  [[nodiscard]] static FieldSet from_v1(const json::Value& fields);
  [[nodiscard]] json::Value to_v1(const boost::json::storage_ptr& storage = {}) const;

  [[nodiscard]] bool empty() const noexcept { return !member_ && children_.empty(); }
  [[nodiscard]] bool holds_this() const noexcept { return member_; }
  [[nodiscard]] const Children& children() const noexcept { return children_; }
  [[nodiscard]] const FieldSet* child(std::string_view element) const;

  void insert() noexcept { member_ = true; }  // inserts the place of this node
  [[nodiscard]] FieldSet& below(std::string_view element);
  void erase(std::string_view element);

  // is_within() returns whether a set in FieldsV1 format contains all places of this set; meets(), whether it contains
  // one.
  [[nodiscard]] bool is_within(const json::Value& fields) const;
  [[nodiscard]] bool meets(const json::Value& fields) const;

  void unite(const FieldSet& other);
  void subtract(const FieldSet& other);
  [[nodiscard]] FieldSet intersection(const FieldSet& other) const;
  // Removes branches without places.
  void tidy();

  // All places in readable form: ".spec.replicas", ".status.conditions[type=\"Ready\"].status".
  [[nodiscard]] std::vector<std::string> paths() const;

  friend bool operator==(const FieldSet&, const FieldSet&) = default;

 private:
  void append_paths(const std::string& prefix, std::vector<std::string>& out) const;

  bool member_ = false;
  Children children_;
};

// "k:{\"name\":\"a\",\"port\":1}" → [name="a",port=1]
[[nodiscard]] std::string readable_element(std::string_view element);

}  // namespace pintle
