// SPDX-License-Identifier: Apache-2.0
// Readiness: whether an object of any kind has reached its state, as far as its status shows it.
#pragma once

#include <string>
#include <string_view>

#include <pintle/object/object.hpp>

namespace pintle {

struct Readiness {
  enum class State { ready, not_ready, unknown };

  State state = State::unknown;
  std::string reason{};
  std::string message{};
};

[[nodiscard]] std::string_view to_string(Readiness::State state) noexcept;

// By the condition Ready, or else Available, Complete, Failed or Established, whose status must be "True" (of Failed:
// must not be). A Pod with the phase Succeeded is ready. An object without these conditions is `unknown`, and one that
// is being deleted is not ready.
[[nodiscard]] Readiness readiness_of(const Object& object);

}  // namespace pintle
