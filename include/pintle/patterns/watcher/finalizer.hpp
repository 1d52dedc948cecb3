// The finalizer by which Opinionated handlers know what they have seen.
#pragma once

#include <functional>
#include <string>

#include <pintle/object/kind.hpp>

namespace pintle::watcher {

// The name of the finalizer for objects of a kind.
using FinalizerSupplier = std::function<std::string(const GroupVersionKind& schema)>;

// "operator.<version>.<kind>.<group>". Kinds of Kubernetes itself take no such name: they want a domain.
[[nodiscard]] std::string default_finalizer_supplier(const GroupVersionKind& schema);

}  // namespace pintle::watcher
