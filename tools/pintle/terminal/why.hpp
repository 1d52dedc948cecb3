// SPDX-License-Identifier: Apache-2.0
// pintle why: what happened to an object, and what happens next.
#pragma once

#include <string>

#include <pintle/base/result.hpp>
#include <pintle/json/value.hpp>

#include "terminal/operator_pages.hpp"

namespace pintle::tools {

struct WhyOptions {
  OperatorOptions place{};
  std::string kind{};        // kind, plural, either with ".GROUP"; or the name of the controller
  std::string name{};        // NAME or NAMESPACE/NAME
  std::string namespace_{};  // of the object; default: that of the context
};

// Returns the exit code: 0; 1, if the operator does not respond or does not have the object; 2, for bad usage.
[[nodiscard]] int run_why(const WhyOptions& options);

// Returns the name of the controller that reconciles a kind. `controllers` is the response of /controllers. Error:
// not_found, with the kinds that there are.
[[nodiscard]] Result<std::string> controller_of(const json::Value& controllers, const std::string& kind);
// Returns the text about an object; `object` is the response of /controllers/NAME/object. Contains no control
// characters except newlines.
[[nodiscard]] std::string why_text(const json::Value& object, const std::string& controller);

}  // namespace pintle::tools
