// SPDX-License-Identifier: Apache-2.0
// The finalizer by which Opinionated handlers recognize the objects that they have handled.
#pragma once

#include <functional>
#include <string>

#include <pintle/base/annotations.hpp>
#include <pintle/object/kind.hpp>

namespace pintle::watcher {

/// Returns the name of the finalizer for objects of a kind.
using FinalizerSupplier = std::function<std::string(const GroupVersionKind& schema)>;

/// Returns "operator.<version>.<kind>.<group>". Built-in kinds of Kubernetes do not accept such a name, because their
/// finalizers need a domain.
[[nodiscard]] PINTLE_EXPORT std::string default_finalizer_supplier(const GroupVersionKind& schema);

}  // namespace pintle::watcher
