// SPDX-License-Identifier: Apache-2.0
// Validation of the finalizer of an Opinionated handler.
#pragma once

#include <pintle/controller/finalizers.hpp>

namespace pintle::watcher {

// Error: invalid, with the name and what to change.
[[nodiscard]] Result<void> check_finalizer_name(const std::string& name, FinalizerPolicy policy);

// Returns the error of a finalizer that could not be added.
[[nodiscard]] Error error_adding_finalizer(Error error);

}  // namespace pintle::watcher
