// SPDX-License-Identifier: Apache-2.0
#include <pintle/controller/context.hpp>

#include <algorithm>
#include <utility>

#include <pintle/base/exceptions.hpp>

#include "apply/children_applier.hpp"
#include "reconcile_state.hpp"

namespace pintle {

Context::Context(ReconcileState& state) : ClusterContext(state, state.cluster) {}

AppliedChildren Context::apply(const ChildSet& children) { return ChildrenApplier(*this, state_).apply(children); }

Result<ClusterContext> Context::cluster(std::string_view name) {
  const auto found = state_.clusters.find(name);
  if (found != state_.clusters.end()) return state_.context_of(found->second);
  std::string known;
  for (const auto& [one, cluster] : state_.clusters) known += (known.empty() ? "" : ", ") + one;
  return fail(ErrorCode::invalid,
              "cluster \"" + std::string(name) + "\" is not in ManagerOptions::clusters; known clusters: " + known);
}

void Context::event(EventType type, std::string_view reason, std::string_view note, const EventOptions& options) {
  state_.events.record(state_.object, type, options.action, reason, note, options.related);
}

Error Context::current_exception_error(std::string_view what) {
  state_.metrics.count_panic();
  return make_error(ErrorCode::unknown, std::string(what) + " threw " + describe_exception());
}

const Object& Context::object() const noexcept { return state_.object; }
const std::vector<ReconcileCause>& Context::causes() const noexcept { return state_.causes; }
StatusDraft& Context::status() {
  if (!state_.status) state_.status.emplace(state_.object, executor());
  return *state_.status;
}

std::any& Context::slot_of(std::type_index type) { return state_.slots[type]; }
Instant Context::deadline() const noexcept { return state_.deadline; }
std::stop_token Context::stop_token() const noexcept { return state_.stop; }
std::stop_token Context::exchange_stop_token(std::stop_token stop) noexcept {
  return std::exchange(state_.stop, std::move(stop));
}
bool Context::owns_by_controller(const GroupVersionKind& kind) const {
  return state_.owns != nullptr && std::any_of(state_.owns->begin(), state_.owns->end(), [&](const Owns& one) {
           return one.kind == kind && one.options.match == OwnerMatch::controller;
         });
}
bool Context::is_active(const GroupVersionKind& kind) const { return state_.is_active(kind); }
Executor& Context::executor() const noexcept { return state_.cluster->client->transport().executor(); }
const std::string& Context::field_manager() const noexcept { return state_.field_manager; }
Span& Context::span() noexcept { return state_.span != nullptr ? *state_.span : state_.no_span; }
ScopedSpan Context::start_span(std::string name, std::vector<SpanAttribute> attributes) {
  return {state_.tracing, {.name = std::move(name), .attributes = std::move(attributes)}};
}
const Log& Context::log() const noexcept { return state_.log; }

}  // namespace pintle
