// fields(): how a plain struct says what its members are called in JSON, what they mean and what they may hold.
//
//   struct Spec {
//     std::string who = "world";
//     std::int32_t times = 1;
//     static constexpr auto fields() {
//       return pintle::fields(
//           pintle::field("who", &Spec::who, "Whom to greet.").min_length(1).column("Who"),
//           pintle::field("times", &Spec::times, "How often.").minimum(1).maximum(100));
//     }
//   };
//
// A member is a bool, an integer, a double, std::string, Bytes, WallTime, MicroTime, Duration, Quantity, IntOrString,
// json::Value (anything), an enumeration that has enum_names, a struct with fields(), a type of your own with OwnJson,
// or std::optional, Box, std::vector or std::map<std::string, …> of one of these. What holds itself does so in a Box. A
// struct whose elements a list tells apart by one required field names it, `static constexpr std::string_view
// list_map_key = "type"`: then several writers can each own elements of one list.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <pintle/object/kind.hpp>
#include <pintle/object/metadata.hpp>

namespace pintle {

// The end of a range, exact for integers.
struct Bound {
  bool is_integer = true;
  std::int64_t integer = 0;
  double number = 0;
};

// What a field may hold and how it is shown.
struct FieldRules {
  bool required = false;
  std::optional<Bound> minimum{};
  std::optional<Bound> maximum{};
  std::optional<std::size_t> min_length{};
  std::optional<std::size_t> max_length{};
  std::string_view pattern{};
  std::string_view column{};
  std::string_view deprecated{};
};

template <class T>
struct WithoutOptional {
  using type = T;
};
template <class T>
struct WithoutOptional<std::optional<T>> {
  using type = T;
};

template <class T>
concept NumberField =
    std::is_arithmetic_v<typename WithoutOptional<T>::type> && !std::same_as<typename WithoutOptional<T>::type, bool>;
template <class T>
concept TextField = std::same_as<typename WithoutOptional<T>::type, std::string>;

// One member with its JSON name, its sentence and its rules; each rule gives a new value. A rule that does not suit the
// type of the member does not compile.
template <class Owner, class Member, std::size_t Choices = 0>
struct Field {
  std::string_view name{};
  Member Owner::*member = nullptr;
  std::string_view description{};
  FieldRules rules{};
  std::array<std::string_view, Choices> choices{};

  // The object is refused without it.
  [[nodiscard]] constexpr Field required() const {
    Field changed = *this;
    changed.rules.required = true;
    return changed;
  }
  template <class Number>
    requires NumberField<Member> && std::is_arithmetic_v<Number>
  [[nodiscard]] constexpr Field minimum(Number bound) const {
    Field changed = *this;
    changed.rules.minimum = bound_of(bound);
    return changed;
  }
  template <class Number>
    requires NumberField<Member> && std::is_arithmetic_v<Number>
  [[nodiscard]] constexpr Field maximum(Number bound) const {
    Field changed = *this;
    changed.rules.maximum = bound_of(bound);
    return changed;
  }
  // In characters.
  [[nodiscard]] constexpr Field min_length(std::size_t length) const
    requires TextField<Member>
  {
    Field changed = *this;
    changed.rules.min_length = length;
    return changed;
  }
  [[nodiscard]] constexpr Field max_length(std::size_t length) const
    requires TextField<Member>
  {
    Field changed = *this;
    changed.rules.max_length = length;
    return changed;
  }
  // A regular expression (RE2) that matches somewhere in the text; use ^ and $ for the whole.
  [[nodiscard]] constexpr Field pattern(std::string_view expression) const
    requires TextField<Member>
  {
    Field changed = *this;
    changed.rules.pattern = expression;
    return changed;
  }
  template <std::size_t N>
    requires TextField<Member>
  [[nodiscard]] constexpr Field<Owner, Member, N> one_of(const std::string_view (&values)[N]) const {
    Field<Owner, Member, N> changed{name, member, description, rules, {}};
    for (std::size_t i = 0; i < N; ++i) changed.choices[i] = values[i];
    return changed;
  }
  // Shown by `kubectl get` under this heading; of a list of conditions, the status of the one of this type.
  [[nodiscard]] constexpr Field column(std::string_view heading) const {
    Field changed = *this;
    changed.rules.column = heading;
    return changed;
  }
  // Still read, no longer to be used; `what_instead` is told to people.
  [[nodiscard]] constexpr Field deprecated(std::string_view what_instead) const {
    Field changed = *this;
    changed.rules.deprecated = what_instead;
    return changed;
  }

 private:
  template <class Number>
  static constexpr Bound bound_of(Number bound) {
    if constexpr (std::is_integral_v<Number>) return {true, static_cast<std::int64_t>(bound), 0};
    return {false, 0, static_cast<double>(bound)};
  }
};

// Names a member: its name in JSON, which one it is, and a sentence for people.
template <class Owner, class Member>
[[nodiscard]] constexpr Field<Owner, Member> field(std::string_view name, Member Owner::*member,
                                                   std::string_view description = {}) {
  return {name, member, description, {}, {}};
}

// The fields of a struct, in the order in which people read them.
template <class... Fields>
[[nodiscard]] constexpr std::tuple<Fields...> fields(Fields... all) {
  return {all...};
}

// The names of an enumeration in JSON. Found by the type of its argument, so it stands beside the enumeration:
//
//   enum class Mode { fast, slow };
//   constexpr auto enum_names(Mode) { return pintle::names_of<Mode>({{Mode::fast, "Fast"}, {Mode::slow, "Slow"}}); }
template <class Enum, std::size_t N>
[[nodiscard]] constexpr std::array<std::pair<Enum, std::string_view>, N> names_of(
    const std::pair<Enum, std::string_view> (&names)[N]) {
  return std::to_array(names);
}

// A type that says itself how it stands in JSON: `static Result<T> from_json(json::View)`, `json::Value to_json()
// const` and `static json::object json_schema()`.
template <class T>
concept OwnJson = std::is_class_v<T> && requires(json::View view, const T& value) {
  { T::from_json(view) } -> std::same_as<Result<T>>;
  { value.to_json() } -> std::same_as<json::Value>;
  { T::json_schema() } -> std::same_as<json::object>;
};

// A value in a place of its own (box.hpp), and one that may be missing (optional_box.hpp).
template <class T>
class Box;
template <class T>
class OptionalBox;

namespace described {
struct Member;
struct EnumName;
}  // namespace described

// The fields of a struct, and the names of an enumeration, where the header only declares them, `static FieldTable
// fields();` and `friend EnumTable enum_names(Mode);`, and a source defines them with the words of field_table.hpp.
// Headers with many structs compile faster that way.
using FieldTable = std::span<const described::Member>;
using EnumTable = std::span<const described::EnumName>;

// A struct with fields().
template <class T>
concept HasFields = std::is_class_v<T> && requires { T::fields(); };
template <class T>
concept HasFieldTable = HasFields<T> && std::same_as<decltype(T::fields()), FieldTable>;

// A kind as a struct: `static constexpr pintle::Type type`, `pintle::Metadata metadata{}`, and either the members
// `spec`, `status` or both (a `status` makes the status sub-resource), or fields() of its own for kinds that have
// neither.
template <class T>
concept Described = std::default_initializable<T> &&
                    requires(T object) {
                      { T::type } -> std::convertible_to<Type>;
                      { object.metadata } -> std::same_as<Metadata&>;
                    } &&
                    (
                        HasFields<T> || requires(T object) { object.spec; } || requires(T object) { object.status; });

}  // namespace pintle
