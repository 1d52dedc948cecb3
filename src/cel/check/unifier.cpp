// SPDX-License-Identifier: Apache-2.0
#include "unifier.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pintle::cel {
namespace {

using Kind = Type::Kind;

bool is_wildcard(const Type& type) noexcept { return type.kind() == Kind::dyn || type.kind() == Kind::error; }

// null may be used where one of these types is expected.
bool is_nullable(const Type& type) noexcept {
  switch (type.kind()) {
    case Kind::null:
    case Kind::object:
    case Kind::opaque:
    case Kind::optional:
    case Kind::timestamp:
    case Kind::duration: return true;
    default: return false;
  }
}

// Returns a type of the same kind with other parameters.
Type with_parameters(const Type& type, std::vector<Type> parameters) {
  switch (type.kind()) {
    case Kind::list: return Type::list(std::move(parameters[0]));
    case Kind::map: return Type::map(std::move(parameters[0]), std::move(parameters[1]));
    case Kind::optional: return Type::optional(std::move(parameters[0]));
    case Kind::type: return Type::type(std::move(parameters[0]));
    default: return type;
  }
}

template <class Change>
Type change_parameters(const Type& type, Change change) {
  if (type.parameters().empty()) return type;
  std::vector<Type> parameters;
  for (const auto& parameter : type.parameters()) parameters.push_back(change(parameter));
  return with_parameters(type, std::move(parameters));
}

bool is_equal_or_less_specific(const Type& a, const Type& b) {
  if (a.kind() == Kind::dyn || a.kind() == Kind::parameter) return true;
  if (b.kind() == Kind::dyn || b.kind() == Kind::parameter) return false;
  if (a.kind() != b.kind()) return false;
  if (a.kind() == Kind::type) return true;
  if (a.name() != b.name()) return false;
  return std::ranges::equal(a.parameters(), b.parameters(), is_equal_or_less_specific);
}

}  // namespace

Type Unifier::make_parameter() { return Type::parameter(fmt::format("_var{}", count_++)); }

Type Unifier::Instance::of(const Type& type) {
  if (type.kind() != Kind::parameter) {
    return change_parameters(type, [this](const Type& parameter) { return of(parameter); });
  }
  const auto found = parameters_.find(type.name());
  if (found != parameters_.end()) return found->second;
  return parameters_.emplace(std::string(type.name()), unifier_.make_parameter()).first->second;
}

bool Unifier::assign(const Type& from, const Type& to) { return assign(std::span(&from, 1), std::span(&to, 1)); }

bool Unifier::assign(std::span<const Type> from, std::span<const Type> to) {
  undo_.clear();
  if (unify_all(from, to)) return true;
  roll_back(0);
  return false;
}

void Unifier::roll_back(std::size_t size) {
  for (; undo_.size() > size; undo_.pop_back()) {
    auto& [name, before] = undo_.back();
    if (before) {
      bound_.insert_or_assign(name, *std::move(before));
    } else {
      bound_.erase(name);
    }
  }
}

bool Unifier::unify_all(std::span<const Type> from, std::span<const Type> to) {
  return std::ranges::equal(from, to, [this](const Type& a, const Type& b) { return unify(a, b); });
}

bool Unifier::unify(const Type& from, const Type& to) {
  bool is_bound = false;
  if (to.kind() == Kind::parameter) {
    if (bind(to, from, is_bound)) return true;
    if (is_bound) return false;
  }
  if (from.kind() == Kind::parameter) return bind(from, to, is_bound);
  if (is_wildcard(from) || is_wildcard(to)) return true;
  if (from.kind() == Kind::null) return is_nullable(to);
  if (to.kind() == Kind::null) return is_nullable(from);
  if (from.kind() != to.kind()) return false;
  if (from.kind() == Kind::type) return true;
  return from.name() == to.name() && unify_all(from.parameters(), to.parameters());
}

bool Unifier::bind(const Type& parameter, const Type& type, bool& is_bound) {
  is_bound = true;
  if (type == parameter) return true;
  const auto* found = find(parameter);
  if (found == nullptr) {
    is_bound = false;
    if (occurs_in(parameter, type)) return false;
    set(parameter, type);
    return true;
  }
  const Type before = *found;
  if (before == type) return true;
  if (!unify(type, before)) return false;
  auto general = most_general(type, before);
  if (!occurs_in(parameter, general)) set(parameter, general);
  return true;
}

const Type* Unifier::find(const Type& parameter) const {
  const auto found = bound_.find(parameter.name());
  return found == bound_.end() ? nullptr : &found->second;
}

void Unifier::set(const Type& parameter, const Type& type) {
  const auto* before = find(parameter);
  undo_.emplace_back(parameter.name(), before == nullptr ? std::nullopt : std::optional(*before));
  bound_.insert_or_assign(std::string(parameter.name()), type);
}

bool Unifier::occurs_in(const Type& parameter, const Type& type) const {
  if (type == parameter) return true;
  if (type.kind() == Kind::parameter) {
    const auto* bound = find(type);
    return bound != nullptr && occurs_in(parameter, *bound);
  }
  return std::ranges::any_of(type.parameters(), [&](const Type& part) { return occurs_in(parameter, part); });
}

Type Unifier::resolve(const Type& type, bool unbound_to_dyn) const {
  if (type.kind() == Kind::parameter) {
    if (const auto* bound = find(type)) return resolve(*bound, unbound_to_dyn);
    return unbound_to_dyn ? Type::dyn() : type;
  }
  return change_parameters(type, [&](const Type& part) { return resolve(part, unbound_to_dyn); });
}

Type most_general(const Type& a, const Type& b) { return is_equal_or_less_specific(a, b) ? a : b; }

std::string describe_type(const Type& type) {
  switch (type.kind()) {
    case Kind::null: return "null";
    case Kind::timestamp: return "timestamp";
    case Kind::duration: return "duration";
    case Kind::error: return "!error!";
    default: break;
  }
  std::string out(type.name());
  if (type.parameters().empty()) return out;
  const char* separator = "(";
  for (const auto& parameter : type.parameters()) {
    out += separator + describe_type(parameter);
    separator = ", ";
  }
  return out + ")";
}

}  // namespace pintle::cel
