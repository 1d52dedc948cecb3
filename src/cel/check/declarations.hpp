// SPDX-License-Identifier: Apache-2.0
// Declarations: everything that expressions of an environment may name.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/cel/environment.hpp>
#include <pintle/cel/function.hpp>
#include <pintle/cel/type.hpp>

#include "cel/syntax/macro.hpp"

namespace pintle::cel {

using Overloads = std::vector<std::shared_ptr<const Overload>>;

class Declarations {
 public:
  Declarations() = default;

  // Error: invalid, as for Environment::create.
  [[nodiscard]] Result<void> add(Library library);
  [[nodiscard]] Result<void> add(Variable variable);
  void add_macros(std::vector<Macro> macros);
  void set_limits(const CompileLimits& limits) { limits_ = limits; }

  // Return null or nothing if there is no such declaration. A name may start with a dot.
  [[nodiscard]] const Type* variable(std::string_view name) const;
  [[nodiscard]] std::optional<Type> type(std::string_view name) const;
  [[nodiscard]] const Overloads* function(std::string_view name) const;
  [[nodiscard]] const std::map<std::string, Overloads, std::less<>>& functions() const noexcept { return functions_; }
  [[nodiscard]] const std::vector<Macro>& macros() const noexcept { return macros_; }
  [[nodiscard]] const CompileLimits& limits() const noexcept { return limits_; }

 private:
  std::map<std::string, Type, std::less<>> variables_{};
  std::map<std::string, Type, std::less<>> types_{};
  std::map<std::string, Overloads, std::less<>> functions_{};
  std::vector<Macro> macros_{};
  CompileLimits limits_{};
};

// Gives the other parts of this layer access to the declarations.
class EnvironmentAccess {
 public:
  [[nodiscard]] static const Declarations& declarations(const Environment& environment) {
    return *environment.declarations_;
  }
};

}  // namespace pintle::cel
