// Equality and hashes of places. What two documents of a pool share is equal without a look inside.
#include <pintle/json/document.hpp>

#include "inside.hpp"

namespace pintle::json {
namespace {

bool equal_views(View a, View b) noexcept;

bool equal_elements(View a, View b) noexcept {
  const std::size_t size = a.size();
  if (b.size() != size) return false;
  for (std::size_t i = 0; i < size; ++i) {
    if (!equal_views(a.element(i), b.element(i))) return false;
  }
  return true;
}

bool equal_members(View a, View b) noexcept {
  const std::size_t size = a.size();
  if (b.size() != size) return false;
  if (size == 0) return true;
  const Inside in_a(a);
  const Inside in_b(b);
  const Word* head_a = in_a.head();
  const Word* head_b = in_b.head();
  const bool is_one_shape = *head_a == *head_b && tag_of(*head_a) == Tag::shape && in_a.parts() == in_b.parts();
  for (std::size_t i = 0; i < size; ++i) {
    const Word* other = head_b + 1 + i;  // two versions of one object mostly keep their order
    if (!is_one_shape) {
      const std::string_view key = in_a.key(head_a, i);
      if (in_b.key(head_b, i) != key) other = in_b.member(head_b, key);
    }
    if (other == nullptr || !equal_views(in_a.view(head_a + 1 + i), in_b.view(other))) return false;
  }
  return true;
}

// Whether the word says the same in both.
bool is_same_word(const Inside& a, const Inside& b) noexcept {
  if (a.word() != b.word()) return false;
  switch (a.tag()) {
    case Tag::literal:
    case Tag::integer:
    case Tag::short_text: return true;
    case Tag::shared_text:
    case Tag::shared_container: return a.parts() == b.parts();
    default: return false;
  }
}

bool equal_views(View a, View b) noexcept {
  const Inside in_a(a);
  const Inside in_b(b);
  if (is_same_word(in_a, in_b)) return true;
  if (in_a.is_text()) return in_b.is_text() && in_a.text() == in_b.text();
  if (in_a.is_number()) return in_b.is_number() && equal(in_a.number(), in_b.number());
  const Type type = a.type();
  if (type != b.type()) return false;
  return type == Type::array ? equal_elements(a, b) : type == Type::object && equal_members(a, b);
}

std::uint64_t hash_number(const Number& number) noexcept {
  // As a double if it is one, for 1 equals 1.0; the rest differ from every double.
  const double real = to_double(number);
  const std::uint64_t zero_is_zero = real == 0 ? 0 : std::bit_cast<std::uint64_t>(real);
  return stir(static_cast<std::uint64_t>(Type::number), zero_is_zero);
}

}  // namespace

bool operator==(View a, View b) noexcept { return a.exists() && b.exists() && equal_views(a, b); }

std::uint64_t View::hash() const noexcept {
  const Type kind = type();
  const auto salt = static_cast<std::uint64_t>(kind);
  std::uint64_t hash = stir(salt, size());
  switch (kind) {
    case Type::missing:
    case Type::null: return hash;
    case Type::boolean: return stir(salt, *as_bool() ? 1 : 0);
    case Type::integer:
    case Type::number: return hash_number(number_of(*this));
    case Type::string: return hash_of(text(), salt);
    case Type::array:
      for (const View one : elements()) hash = stir(hash, one.hash());
      return hash;
    case Type::object:
      // Whatever the order.
      for (const auto& [key, value] : members()) hash += stir(hash_of(key, salt), value.hash());
      return hash;
  }
  return hash;
}

}  // namespace pintle::json
