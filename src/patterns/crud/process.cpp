// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/crud/process.hpp>

#include <pintle/patterns/crud/reconcile_flags.hpp>

#include "failures.hpp"

namespace pintle::crud {
namespace {

// Calls `ensure` for one resource after the other, until one fails or the reconcile is cancelled.
template <class Range, class Ensure>
Result<void> process(Range begin, Range end, Context& context, const Ensure& ensure) {
  if (begin == end) return fail(execution_failed("there is nothing to execute: the list of resources is empty"));
  ReconcileFlags& flags = reconcile_flags(context);
  for (; begin != end; ++begin) {
    if (flags.reconciliation_canceled.is_set()) return {};
    flags.resource_canceled = {};
    if (Result<void> done = ensure(*begin); !done) return done;
  }
  return {};
}

}  // namespace

Result<void> process_update(const Object& object, Context& context, const std::vector<Resource>& resources) {
  return process(resources.begin(), resources.end(), context,
                 [&](const Resource& resource) { return resource.ensure_created(object, context); });
}

Result<void> process_delete(const Object& object, Context& context, const std::vector<Resource>& resources,
                            DeleteOrder order) {
  const auto ensure = [&](const Resource& resource) { return resource.ensure_deleted(object, context); };
  return order == DeleteOrder::listed ? process(resources.begin(), resources.end(), context, ensure)
                                      : process(resources.rbegin(), resources.rend(), context, ensure);
}

}  // namespace pintle::crud
