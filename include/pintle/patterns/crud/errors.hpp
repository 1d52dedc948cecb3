// What went wrong in a crud operator, by its root: what was being done when it came up makes no difference.
#pragma once

#include <pintle/base/error.hpp>

namespace pintle::crud {

// There is nothing to execute, or more than one set of resources wants to.
[[nodiscard]] bool is_execution_failed(const Error& error) noexcept;
// Something was declared without what it needs.
[[nodiscard]] bool is_invalid_config(const Error& error) noexcept;
// No resource set handles an object; no failure for an operator that leaves some objects to others.
[[nodiscard]] bool is_no_resource_set(const Error& error) noexcept;
// A resource was wrapped again and again.
[[nodiscard]] bool is_loop_detected(const Error& error) noexcept;
// Of CrdClient: the definition is there, and the server does not serve it yet.
[[nodiscard]] bool is_not_established(const Error& error) noexcept;
// Of CrdClient: the names of the definition are those of another.
[[nodiscard]] bool is_name_conflict(const Error& error) noexcept;

}  // namespace pintle::crud
