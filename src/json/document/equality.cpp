// SPDX-License-Identifier: Apache-2.0
// Equality and hashes of views. Shared parts of one pool are compared by number, without a comparison of their content.
#include <bit>

#include <pintle/json/document.hpp>

#include "inside.hpp"

namespace pintle::json {
namespace {

bool equal_places(const Inside& a, const Inside& b) noexcept;

bool equal_elements(const Inside& a, const Word* head_a, const Inside& b, const Word* head_b) noexcept {
  if (*head_a != *head_b) return false;  // the size
  for (Word i = 1; i <= payload_of(*head_a); ++i) {
    if (!equal_places(a.at(head_a + i), b.at(head_b + i))) return false;
  }
  return true;
}

bool equal_members(const Inside& a, const Word* head_a, const Inside& b, const Word* head_b) noexcept {
  const std::size_t size = a.size(head_a);
  if (b.size(head_b) != size) return false;
  const bool is_one_shape = *head_a == *head_b && tag_of(*head_a) == Tag::shape && a.parts() == b.parts();
  for (std::size_t i = 0; i < size; ++i) {
    const Word* other = head_b + 1 + i;  // versions of one object usually have the same order
    if (!is_one_shape) {
      const std::string_view key = a.key(head_a, i);
      if (b.key(head_b, i) != key) other = b.member(head_b, key);
    }
    if (other == nullptr || !equal_places(a.at(head_a + 1 + i), b.at(other))) return false;
  }
  return true;
}

bool equal_containers(const Inside& a, const Inside& b) noexcept {
  const Word* head_a = a.head();
  const Word* head_b = b.head();
  if (head_b == nullptr || (tag_of(*head_a) == Tag::count) != (tag_of(*head_b) == Tag::count)) return false;
  return tag_of(*head_a) == Tag::count ? equal_elements(a, head_a, b, head_b) : equal_members(a, head_a, b, head_b);
}

bool equal_places(const Inside& a, const Inside& b) noexcept {
  switch (a.tag()) {
    case Tag::literal: return a.word() == b.word();
    case Tag::short_text:
    case Tag::text:
    case Tag::shared_text:
      if (!b.is_text()) return false;
      if (a.tag() == Tag::shared_text && b.tag() == Tag::shared_text && a.parts() == b.parts()) {
        return a.word() == b.word();
      }
      return a.text() == b.text();
    case Tag::container:
    case Tag::shared_container:
      return (a.word() == b.word() && a.tag() == Tag::shared_container && a.parts() == b.parts()) ||
             equal_containers(a, b);
    default: return b.is_number() && equal(a.number(), b.number());
  }
}

std::uint64_t hash_number(const Number& number) noexcept {
  // Equal numbers must have equal hashes (1 equals 1.0), so the nearest double is hashed.
  const double real = to_double(number);
  const std::uint64_t zero_is_zero = real == 0 ? 0 : std::bit_cast<std::uint64_t>(real);
  return mix(static_cast<std::uint64_t>(Type::number), zero_is_zero);
}

}  // namespace

bool operator==(View a, View b) noexcept { return a.exists() && b.exists() && equal_places(Inside(a), Inside(b)); }

std::uint64_t View::hash() const noexcept {
  const Type kind = type();
  const auto salt = static_cast<std::uint64_t>(kind);
  std::uint64_t hash = mix(salt, size());
  switch (kind) {
    case Type::missing:
    case Type::null: return hash;
    case Type::boolean: return mix(salt, *as_bool() ? 1 : 0);
    case Type::integer:
    case Type::number: return hash_number(number_of(*this));
    case Type::string: return hash_of(text(), salt);
    case Type::array:
      for (const View one : elements()) hash = mix(hash, one.hash());
      return hash;
    case Type::object:
      // A sum, so that the order of the members has no effect.
      for (const auto [key, value] : members()) hash += mix(hash_of(key, salt), value.hash());
      return hash;
  }
  return hash;
}

}  // namespace pintle::json
