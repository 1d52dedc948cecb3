// SPDX-License-Identifier: Apache-2.0
#include "declarations.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <pintle/base/error.hpp>
#include <pintle/base/result.hpp>

namespace pintle::cel {
namespace {

std::string_view without_dot(std::string_view name) noexcept {
  if (name.starts_with('.')) name.remove_prefix(1);
  return name;
}

template <class T>
const T* look_up(const std::map<std::string, T, std::less<>>& map, std::string_view name) {
  const auto found = map.find(without_dot(name));
  return found == map.end() ? nullptr : &found->second;
}

Result<void> declare(std::map<std::string, Type, std::less<>>& map, const char* what, std::string name, Type type) {
  if (name.empty()) return fail(ErrorCode::invalid, fmt::format("a {} without a name", what));
  const auto [place, is_new] = map.try_emplace(std::move(name), type);
  if (is_new || place->second == type) return {};
  return fail(ErrorCode::invalid, fmt::format("{} {} is declared with the types {} and {}", what, place->first,
                                              place->second.to_string(), type.to_string()));
}

}  // namespace

Result<void> Declarations::add(Library library) {
  for (auto& type : library.types) {
    std::string name(type.name());
    if (auto declared = declare(types_, "type", std::move(name), std::move(type)); !declared) return declared;
  }
  for (auto& variable : library.variables) {
    if (auto added = add(std::move(variable)); !added) return added;
  }
  for (auto& function : library.functions) {
    if (function.name.empty()) return fail(ErrorCode::invalid, "a function without a name");
    auto& overloads = functions_[std::move(function.name)];
    for (auto& overload : function.overloads) {
      overloads.push_back(std::make_shared<const Overload>(std::move(overload)));
    }
  }
  return {};
}

Result<void> Declarations::add(Variable variable) {
  return declare(variables_, "variable", std::move(variable.name), std::move(variable.type));
}

void Declarations::add_macros(std::vector<Macro> macros) {
  macros_.insert(macros_.end(), std::make_move_iterator(macros.begin()), std::make_move_iterator(macros.end()));
}

const Type* Declarations::variable(std::string_view name) const { return look_up(variables_, name); }

std::optional<Type> Declarations::type(std::string_view name) const {
  if (const auto* found = look_up(types_, name)) return *found;
  name = without_dot(name);
  const auto* root = look_up(types_, name.substr(0, name.find('.')));
  if (root == nullptr || !root->is_open()) return std::nullopt;
  return Type::open_object(std::string(name));
}

const Overloads* Declarations::function(std::string_view name) const { return look_up(functions_, name); }

}  // namespace pintle::cel
