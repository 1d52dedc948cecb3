#include <pintle/controller/context.hpp>

#include <algorithm>
#include <utility>

#include <pintle/base/exceptions.hpp>

#include "apply/children_applier.hpp"
#include "pass.hpp"

namespace pintle {

Context::Context(Pass& pass) : ClusterContext(pass, pass.site) {}

AppliedChildren Context::apply(const ChildSet& children) { return ChildrenApplier(*this, pass_).apply(children); }

Result<ClusterContext> Context::cluster(std::string_view name) {
  const auto found = pass_.sites.find(name);
  if (found != pass_.sites.end()) return ClusterContext(pass_, found->second);
  std::string known;
  for (const auto& [one, site] : pass_.sites) known += (known.empty() ? "" : ", ") + one;
  return fail(ErrorCode::invalid,
              "cluster \"" + std::string(name) + "\" is not in ManagerOptions::clusters; known clusters: " + known);
}

void Context::event(EventType type, std::string_view reason, std::string_view note) {
  pass_.events.record(pass_.object, type, "Reconcile", reason, note);
}

Error Context::thrown(std::string_view what) {
  pass_.metrics.count_panic();
  return make_error(ErrorCode::unknown, std::string(what) + " threw " + describe_exception());
}

const std::vector<ReconcileCause>& Context::causes() const noexcept { return pass_.causes; }
StatusDraft& Context::status() {
  if (!pass_.status) pass_.status.emplace(pass_.object, executor());
  return *pass_.status;
}

std::any& Context::slot_of(std::type_index type) { return pass_.slots[type]; }
Instant Context::deadline() const noexcept { return pass_.deadline; }
std::stop_token Context::stop_token() const noexcept { return pass_.stop; }
std::stop_token Context::exchange_stop_token(std::stop_token stop) noexcept {
  return std::exchange(pass_.stop, std::move(stop));
}
bool Context::owns_by_controller(const GroupVersionKind& kind) const {
  return pass_.owns != nullptr && std::any_of(pass_.owns->begin(), pass_.owns->end(), [&](const Owns& one) {
           return one.kind == kind && one.options.match == OwnerMatch::controller;
         });
}
Executor& Context::executor() const noexcept { return pass_.site->client->transport().executor(); }
const std::string& Context::field_manager() const noexcept { return pass_.field_manager; }
Span& Context::span() noexcept { return pass_.span != nullptr ? *pass_.span : pass_.no_span; }
ScopedSpan Context::begin_span(std::string name, std::vector<SpanAttribute> attributes) {
  return {pass_.tracing, {.name = std::move(name), .attributes = std::move(attributes)}};
}
const Log& Context::log() const noexcept { return pass_.log; }

}  // namespace pintle
