// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/service/user_resources.hpp>

#include <chrono>
#include <string>
#include <utility>

#include <pintle/controller/status_writer.hpp>
#include <pintle/patterns/service/status.hpp>

namespace pintle::service {
namespace {

constexpr Duration recheck_interval = std::chrono::seconds(10);

// Returns one object of this kind, or a null object if there is none.
Result<Object> one_of(const GroupVersionKind& kind, ClusterContext& cluster, Context& ctx) {
  auto listed = cluster.client().list(kind, {.limit = 1}, ctx.stop_token());
  const ErrorCode code = listed ? ErrorCode::unknown : listed.error().code;
  if (code == ErrorCode::not_found || code == ErrorCode::unsupported) return Object();
  if (!listed) return fail(std::move(listed.error()));
  return listed->items.empty() ? Object() : std::move(listed->items.front());
}

}  // namespace

Outcome wait_for_user_resources(ClusterContext& cluster, const std::vector<GroupVersionKind>& kinds, Context& ctx) {
  for (const GroupVersionKind& kind : kinds) {
    const auto found = one_of(kind, cluster, ctx);
    if (!found) return failed(found.error());
    if (!*found) continue;
    const std::string message = "users must remove " + found->describe() + " first";
    status_terminating(ctx.status(), reason_user_resources_present, message);
    ctx.status().set_condition({.type = std::string(deletion_blocked_condition),
                                .status = ConditionStatus::true_,
                                .reason = std::string(reason_user_resources_present),
                                .message = message});
    return requeue_after(recheck_interval);
  }
  ctx.status().remove_condition(deletion_blocked_condition);
  return done;
}

}  // namespace pintle::service
