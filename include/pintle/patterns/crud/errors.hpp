// SPDX-License-Identifier: Apache-2.0
// Predicates for the errors of the crud pattern. They test the root error; context that was added to it makes no
// difference.
#pragma once

#include <pintle/base/annotations.hpp>
#include <pintle/base/error.hpp>

namespace pintle::crud {

/// There is nothing to execute, more than one resource set handles the object, or a hook returned success without
/// calling a step whose result is needed.
[[nodiscard]] PINTLE_EXPORT bool is_execution_failed(const Error& error) noexcept;
/// A declaration lacks a required part or has an invalid value.
[[nodiscard]] PINTLE_EXPORT bool is_invalid_config(const Error& error) noexcept;
/// No resource set handles the object. This is not a failure for an operator that leaves some objects to other
/// operators.
[[nodiscard]] PINTLE_EXPORT bool is_no_resource_set(const Error& error) noexcept;
/// A resource was wrapped more than Resource::max_hooks times.
[[nodiscard]] PINTLE_EXPORT bool is_loop_detected(const Error& error) noexcept;
/// For CrdClient: the CRD exists, but the server does not serve it yet.
[[nodiscard]] PINTLE_EXPORT bool is_not_established(const Error& error) noexcept;
/// For CrdClient: another CRD has the names of this CRD.
[[nodiscard]] PINTLE_EXPORT bool is_name_conflict(const Error& error) noexcept;

}  // namespace pintle::crud
