// What a finalizer of an Opinionated handler must be.
#pragma once

#include <pintle/controller/finalizers.hpp>

namespace pintle::watcher {

// Error: invalid, naming the finalizer and what to do.
[[nodiscard]] Result<void> check_finalizer_name(const std::string& name, FinalizerPolicy policy);

// The error of a finalizer that could not be put on, after its object was handled.
[[nodiscard]] Error error_adding_finalizer(Error error);

}  // namespace pintle::watcher
