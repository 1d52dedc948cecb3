#include <pintle/controller/context.hpp>

#include <algorithm>
#include <utility>

#include <pintle/base/exceptions.hpp>
#include <pintle/object/selector.hpp>

#include "pass.hpp"

namespace pintle {

namespace {

using Requirement = LabelSelector::Requirement;

bool covers(const Informer& informer, std::string_view namespace_) {
  const std::string& watched = informer.options().namespace_;
  return watched.empty() || namespace_.empty() || watched == namespace_;
}

// Whether labels that meet `a` meet `b` as well; false where that is not plain.
bool implies(const Requirement& a, const Requirement& b) {
  using Operator = Requirement::Operator;
  if (a.key != b.key) return false;
  if (b.op == Operator::exists) return a.op == Operator::exists || a.op == Operator::in;
  if (a.op != b.op) return false;
  const auto has_each = [](const std::vector<std::string>& all, const std::vector<std::string>& some) {
    return std::all_of(some.begin(), some.end(),
                       [&](const std::string& one) { return std::find(all.begin(), all.end(), one) != all.end(); });
  };
  if (a.op == Operator::in) return has_each(b.values, a.values);
  if (a.op == Operator::not_in) return has_each(a.values, b.values);
  return a.values == b.values;
}

// Whether every object that the list selects is one that the informer holds.
bool selects_no_more(const ListOptions& list, const InformerOptions& held) {
  const auto wanted = LabelSelector::parse(list.label_selector);
  const auto labels = LabelSelector::parse(held.label_selector);
  const auto wanted_fields = FieldSelector::parse(list.field_selector);
  const auto fields = FieldSelector::parse(held.field_selector);
  if (!wanted || !labels || !wanted_fields || !fields) return false;
  const bool has_labels =
      std::all_of(labels->requirements.begin(), labels->requirements.end(), [&](const Requirement& needed) {
        return std::any_of(wanted->requirements.begin(), wanted->requirements.end(),
                           [&](const Requirement& one) { return implies(one, needed); });
      });
  return has_labels && std::all_of(fields->requirements.begin(), fields->requirements.end(), [&](const auto& needed) {
           return std::any_of(
               wanted_fields->requirements.begin(), wanted_fields->requirements.end(), [&](const auto& one) {
                 return one.path == needed.path && one.equal == needed.equal && one.value == needed.value;
               });
         });
}

}  // namespace

bool has_no_selector(const Informer& informer) {
  return informer.options().label_selector.empty() && informer.options().field_selector.empty();
}

Informer* Site::informer(const GroupVersionKind& kind, std::string_view namespace_) const {
  const auto [first, last] = informers.equal_range(kind);
  const auto found = std::find_if(first, last, [&](const auto& known) {
    return has_no_selector(*known.second) && covers(*known.second, namespace_);
  });
  return found == last ? nullptr : found->second;
}

Informer* Site::informer_of(const GroupVersionKind& kind, const ObjectKey& key) const {
  if (Informer* whole = informer(kind, key.namespace_)) return whole;
  const auto [first, last] = informers.equal_range(kind);
  const auto found =
      std::find_if(first, last, [&](const auto& known) { return known.second->store().get(key).exists(); });
  return found == last ? nullptr : found->second;
}

Informer* Site::informer_for(const GroupVersionKind& kind, const ListOptions& list) const {
  if (Informer* whole = informer(kind, list.namespace_)) return whole;
  const auto [first, last] = informers.equal_range(kind);
  const auto found = std::find_if(first, last, [&](const auto& known) {
    return covers(*known.second, list.namespace_) && selects_no_more(list, known.second->options());
  });
  return found == last ? nullptr : found->second;
}

Result<Object> Pass::noted(const Site& where, Result<Object> answer) {
  if (answer && status && &where == site.get()) status->saw(*answer);
  return answer;
}

Context::Context(Pass& pass) : ClusterContext(pass, pass.site) {}

Result<ClusterContext> Context::cluster(std::string_view name) {
  const auto found = pass_.sites.find(name);
  if (found != pass_.sites.end()) return ClusterContext(pass_, found->second);
  std::string known;
  for (const auto& [one, site] : pass_.sites) known += (known.empty() ? "" : ", ") + one;
  return fail(ErrorCode::invalid,
              "the manager has no cluster \"" + std::string(name) + "\"; in ManagerOptions::clusters are: " + known);
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
  if (!pass_.status) pass_.status.emplace(pass_.object, runtime());
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
Runtime& Context::runtime() const noexcept { return pass_.site->client->transport().runtime(); }
const std::string& Context::field_manager() const noexcept { return pass_.field_manager; }
Span& Context::span() noexcept { return pass_.span != nullptr ? *pass_.span : pass_.no_span; }
ScopedSpan Context::begin_span(std::string name, std::vector<SpanAttribute> attributes) {
  return {pass_.tracing, {.name = std::move(name), .attributes = std::move(attributes)}};
}
const Log& Context::log() const noexcept { return pass_.log; }

}  // namespace pintle
