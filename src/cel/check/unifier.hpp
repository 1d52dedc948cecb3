// SPDX-License-Identifier: Apache-2.0
// Unifier: finds the types of type parameters.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/cel/type.hpp>

namespace pintle::cel {

// The types that the parameters of an expression have so far. A parameter is bound to a type when a value of that type
// is used in its place.
class Unifier {
 public:
  // Returns a parameter that no other type contains.
  [[nodiscard]] Type make_parameter();
  // Replaces the parameters of a declaration by new ones: the same name by the same parameter.
  class Instance;

  // Returns whether a value of type `from` can be used as `to`, and binds parameters. Binds none if not.
  [[nodiscard]] bool assign(const Type& from, const Type& to);
  [[nodiscard]] bool assign(std::span<const Type> from, std::span<const Type> to);

  // Replaces parameters by their types. Parameters without a type remain, or become dyn.
  [[nodiscard]] Type resolve(const Type& type, bool unbound_to_dyn = false) const;

 private:
  [[nodiscard]] bool unify(const Type& from, const Type& to);
  [[nodiscard]] bool unify_all(std::span<const Type> from, std::span<const Type> to);
  // Binds a parameter, or generalizes its type. `is_bound` is set to whether it had a type before.
  [[nodiscard]] bool bind(const Type& parameter, const Type& type, bool& is_bound);
  void set(const Type& parameter, const Type& type);
  [[nodiscard]] const Type* find(const Type& parameter) const;
  [[nodiscard]] bool occurs_in(const Type& parameter, const Type& type) const;
  void roll_back(std::size_t size);

  std::map<std::string, Type, std::less<>> bound_{};
  std::vector<std::pair<std::string, std::optional<Type>>> undo_{};
  std::size_t count_ = 0;
};

class Unifier::Instance {
 public:
  explicit Instance(Unifier& unifier) noexcept : unifier_(unifier) {}
  [[nodiscard]] Type of(const Type& type);

 private:
  Unifier& unifier_;
  std::map<std::string, Type, std::less<>> parameters_{};
};

// Returns the type that includes the other, for two types that can be assigned to each other.
[[nodiscard]] Type most_general(const Type& a, const Type& b);

// The text of a type in an issue: like Type::to_string, but "null", "timestamp" and "duration".
[[nodiscard]] std::string describe_type(const Type& type);

}  // namespace pintle::cel
