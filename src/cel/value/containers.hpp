// SPDX-License-Identifier: Apache-2.0
// The lists and maps that expressions make.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/cel/type.hpp>
#include <pintle/cel/value.hpp>

namespace pintle::cel {

class ArrayList final : public List {
 public:
  explicit ArrayList(std::vector<Value> elements) noexcept : elements_(std::move(elements)) {}

  [[nodiscard]] std::size_t size() const override { return elements_.size(); }
  [[nodiscard]] Value at(std::size_t index) const override { return elements_[index]; }
  // Only for the owner of a list that nothing else refers to.
  [[nodiscard]] std::vector<Value>& elements() noexcept { return elements_; }

 private:
  std::vector<Value> elements_;
};

// A list with keys that an expression made.
class KeyedList final : public List {
 public:
  KeyedList(std::vector<Value> elements, ListKeys keys) noexcept
      : elements_(std::move(elements)), keys_(std::move(keys)) {}

  [[nodiscard]] std::size_t size() const override { return elements_.size(); }
  [[nodiscard]] Value at(std::size_t index) const override { return elements_[index]; }
  [[nodiscard]] const ListKeys* keys() const override { return &keys_; }

 private:
  std::vector<Value> elements_;
  ListKeys keys_;
};

// A map in the order of its entries. Keys are found in logarithmic time. A later entry replaces an earlier one with the
// same key.
class EntryMap final : public Map {
 public:
  explicit EntryMap(std::vector<std::pair<Value, Value>> entries, Type type = Type::map({}, {}));

  [[nodiscard]] std::size_t size() const override { return entries_.size(); }
  [[nodiscard]] Result<std::optional<Value>> find(const Value& key) const override;
  [[nodiscard]] Value key_at(std::size_t index) const override { return entries_[index].first; }
  [[nodiscard]] Type type() const override { return type_; }
  // Only for the owner of a map that nothing else refers to. Returns false if the key exists.
  [[nodiscard]] bool insert(Value key, Value value);

 private:
  [[nodiscard]] std::vector<std::size_t>::const_iterator place_of(const Value& key) const;
  void sort();
  void remove_duplicates();

  std::vector<std::pair<Value, Value>> entries_;
  std::vector<std::size_t> order_{};  // the indices of the entries, sorted by their keys
  Type type_;
};

}  // namespace pintle::cel
