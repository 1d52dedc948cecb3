#include <pintle/json/document.hpp>

#include <cmath>
#include <utility>

#include <pintle/json/pointer.hpp>

#include "equal.hpp"

namespace pintle::json {
namespace {

// 2^63 and 2^64: the first doubles beyond the integers.
constexpr double beyond_int64 = 9223372036854775808.0;
constexpr double beyond_uint64 = 18446744073709551616.0;

bool equal_numbers(std::uint64_t a, double b) {
  return b >= 0 && b < beyond_uint64 && static_cast<std::uint64_t>(b) == a && std::trunc(b) == b;
}
bool equal_numbers(std::int64_t a, double b) {
  return b >= -beyond_int64 && b < beyond_int64 && static_cast<std::int64_t>(b) == a && std::trunc(b) == b;
}

bool equal_numbers(const Value& a, const Value& b) {
  if (a.is_double()) {
    if (b.is_double()) return a.get_double() == b.get_double();
    return b.is_int64() ? equal_numbers(b.get_int64(), a.get_double()) : equal_numbers(b.get_uint64(), a.get_double());
  }
  if (b.is_double()) return equal_numbers(b, a);
  if (a.is_int64()) {
    return b.is_int64() ? a.get_int64() == b.get_int64() : std::cmp_equal(a.get_int64(), b.get_uint64());
  }
  return b.is_int64() ? std::cmp_equal(a.get_uint64(), b.get_int64()) : a.get_uint64() == b.get_uint64();
}

bool equal_arrays(const array& a, const array& b) noexcept {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!equal(a[i], b[i])) return false;
  }
  return true;
}

bool equal_objects(const object& a, const object& b) noexcept {
  if (a.size() != b.size()) return false;
  auto guess = b.begin();  // two versions of one object mostly keep their order
  for (const auto& [key, value] : a) {
    const auto found = guess->key() == key ? guess : b.find(key);
    ++guess;
    if (found == b.end() || !equal(value, found->value())) return false;
  }
  return true;
}

}  // namespace

bool equal(const Value& a, const Value& b) noexcept {
  if (a.is_number() && b.is_number()) return equal_numbers(a, b);
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case boost::json::kind::null: return true;
    case boost::json::kind::bool_: return a.get_bool() == b.get_bool();
    case boost::json::kind::string: return a.get_string() == b.get_string();
    case boost::json::kind::array: return equal_arrays(a.get_array(), b.get_array());
    case boost::json::kind::object: return equal_objects(a.get_object(), b.get_object());
    default: return false;
  }
}

Type View::type() const noexcept {
  if (value_ == nullptr) return Type::missing;
  switch (value_->kind()) {
    case boost::json::kind::null: return Type::null;
    case boost::json::kind::bool_: return Type::boolean;
    case boost::json::kind::int64:
    case boost::json::kind::uint64: return Type::integer;
    case boost::json::kind::double_: return Type::number;
    case boost::json::kind::string: return Type::string;
    case boost::json::kind::array: return Type::array;
    case boost::json::kind::object: return Type::object;
  }
  return Type::missing;
}

std::optional<std::string_view> View::as_string() const noexcept {
  if (value_ == nullptr || !value_->is_string()) return std::nullopt;
  const auto& text = value_->get_string();
  return std::string_view(text.data(), text.size());
}

std::optional<std::int64_t> View::as_integer() const noexcept {
  if (value_ == nullptr) return std::nullopt;
  if (value_->is_int64()) return value_->get_int64();
  if (value_->is_uint64() && std::in_range<std::int64_t>(value_->get_uint64())) {
    return static_cast<std::int64_t>(value_->get_uint64());
  }
  return std::nullopt;
}

std::optional<std::uint64_t> View::as_unsigned() const noexcept {
  if (value_ == nullptr) return std::nullopt;
  if (value_->is_uint64()) return value_->get_uint64();
  if (value_->is_int64() && value_->get_int64() >= 0) return static_cast<std::uint64_t>(value_->get_int64());
  return std::nullopt;
}

std::optional<double> View::as_double() const noexcept {
  if (value_ == nullptr) return std::nullopt;
  if (value_->is_double()) return value_->get_double();
  if (value_->is_int64()) return static_cast<double>(value_->get_int64());
  if (value_->is_uint64()) return static_cast<double>(value_->get_uint64());
  return std::nullopt;
}

std::optional<bool> View::as_bool() const noexcept {
  if (value_ == nullptr || !value_->is_bool()) return std::nullopt;
  return value_->get_bool();
}

std::size_t View::size() const noexcept {
  if (value_ == nullptr) return 0;
  if (const auto* members = value_->if_object()) return members->size();
  if (const auto* elements = value_->if_array()) return elements->size();
  return 0;
}

View View::operator[](std::string_view pointer) const noexcept {
  return value_ == nullptr ? View{} : View(find(*value_, pointer));
}

View View::member(std::string_view name) const noexcept {
  if (value_ == nullptr || !value_->is_object()) return {};
  return View(value_->get_object().if_contains(name));
}

View View::element(std::size_t index) const noexcept {
  if (value_ == nullptr || !value_->is_array()) return {};
  return View(value_->get_array().if_contains(index));
}

std::pair<std::string_view, View> View::member_at(std::size_t index) const noexcept {
  if (value_ == nullptr || !value_->is_object() || index >= value_->get_object().size()) return {};
  const auto& member = *(value_->get_object().begin() + index);
  return {std::string_view(member.key().data(), member.key().size()), View(&member.value())};
}

bool operator==(View a, View b) noexcept {
  if (!a.exists() || !b.exists()) return false;
  return a.value_ == b.value_ || equal(*a.value_, *b.value_);
}

Value View::to_value() const { return value_ == nullptr ? Value() : Value(*value_); }

std::string View::print() const { return value_ == nullptr ? "null" : json::print(*value_); }

Document::Document(Value value) : value_(std::make_shared<const Value>(std::move(value))) {}

Result<Document> Document::parse(std::string_view text) {
  auto value = json::parse(text);
  if (!value) return fail(std::move(value.error()));
  return Document(std::move(*value));
}

}  // namespace pintle::json
