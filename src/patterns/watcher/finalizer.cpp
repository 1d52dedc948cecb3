// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/watcher/finalizer.hpp>

#include <pintle/object/names.hpp>

#include "finalizer_rules.hpp"

namespace pintle::watcher {
namespace {

constexpr std::size_t max_finalizer_length = 63;

}  // namespace

std::string default_finalizer_supplier(const GroupVersionKind& schema) {
  return "operator." + schema.version + "." + schema.kind + (schema.group.empty() ? "" : "." + schema.group);
}

Result<void> check_finalizer_name(const std::string& name, FinalizerPolicy policy) {
  if (name.empty()) return fail(ErrorCode::invalid, "finalizer cannot be empty");
  const bool is_wip = policy == FinalizerPolicy::wip_then_real;
  if (!is_wip && policy != FinalizerPolicy::add_after_success) {
    return fail(ErrorCode::invalid,
                "the finalizer \"" + name +
                    "\" has a policy that Opinionated handlers do not support: use add_after_success or wip_then_real");
  }
  if (name.size() > max_finalizer_length) {
    return fail(ErrorCode::invalid, "finalizer length cannot exceed 63 chars: " + name);
  }
  // With wip_then_real, "-wip" is appended to the name.
  if (const auto error = names::validate_qualified_name(is_wip ? name + "-wip" : name)) {
    return fail(ErrorCode::invalid, "the finalizer \"" + name + "\" " + *error);
  }
  return {};
}

Error error_adding_finalizer(Error error) { return std::move(error).with_operation("error adding finalizer"); }

}  // namespace pintle::watcher
