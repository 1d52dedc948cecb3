// SPDX-License-Identifier: Apache-2.0
#include "cluster_handle.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <pintle/object/selector.hpp>

namespace pintle {
namespace {

using Requirement = LabelSelector::Requirement;

// Returns whether labels that satisfy `a` also satisfy `b`. May return false although they do.
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

// Returns whether the informer holds every object that the list selects.
bool selects_no_more(const CacheListOptions& list, const InformerOptions& cache) {
  const auto wanted = LabelSelector::parse(list.label_selector);
  const auto labels = LabelSelector::parse(cache.label_selector);
  const auto wanted_fields = FieldSelector::parse(list.field_selector);
  const auto fields = FieldSelector::parse(cache.field_selector);
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

// Returns the sources of all objects of a set in a namespace ("": in all its namespaces). Nothing, if the set does not
// watch the namespace.
std::optional<std::vector<ListSource>> sources_in(const InformerSet& set, std::string_view namespace_) {
  const auto source_of = [](const std::shared_ptr<Informer>& informer, std::string_view part) {
    return ListSource{std::string(part), informer->is_readable() ? informer : nullptr, informer};
  };
  std::vector<ListSource> sources;
  if (!namespace_.empty()) {
    const auto informer = set.of_namespace(namespace_);
    if (informer == nullptr) return {};
    sources.push_back(source_of(informer, namespace_));
    return sources;
  }
  const auto all = set.members();
  for (const auto& informer : *all) sources.push_back(source_of(informer, informer->options().namespace_));
  return sources;
}

bool is_cached_whole(const std::vector<ListSource>& sources) {
  return std::all_of(sources.begin(), sources.end(), [](const ListSource& one) { return one.informer != nullptr; });
}

}  // namespace

OwnWriteReads::OwnWriteReads(MetricsRegistry& registry, const std::string& controller) {
  const auto reads_because = [&](const char* reason) {
    return registry.counter("pintle_own_write_reads_total",
                            "Reads that went to the server, or were repeated, because a cache or a list might have "
                            "lacked a write of the controller.",
                            {{"controller", controller}, {"reason", reason}});
  };
  pending_creates = reads_because("pending_create");
  older_lists = reads_because("older_list");
  failed_older_lists = reads_because("older_list_failed");
}

Result<Object> ClusterHandle::noted(const GroupVersionKind& kind, Result<Object> written) {
  if (written && !informers.contains(kind)) newest_writes.note(kind, *written);
  return written;
}

// While a cache of whole objects is not filled, the server is read, because one of metadata has less.
std::shared_ptr<Informer> ClusterHandle::informer_of(const GroupVersionKind& kind, const ObjectKey& key) const {
  const auto [first, last] = informers.equal_range(kind);
  for (const bool metadata_only : {false, true}) {
    std::shared_ptr<Informer> partial;
    bool is_incomplete = false;
    for (auto at = first; at != last; ++at) {
      if (at->second->has_only_metadata() != metadata_only) continue;
      auto informer = at->second->of_namespace(key.namespace_);
      if (informer == nullptr) continue;
      if (!informer->is_readable()) {
        is_incomplete = is_incomplete || at->second->has_no_selector();
        continue;
      }
      if (at->second->has_no_selector()) return informer;
      if (partial == nullptr && informer->store().get(key)) partial = std::move(informer);
    }
    if (partial != nullptr || is_incomplete) return partial;
  }
  return nullptr;
}

bool ClusterHandle::has_all(const GroupVersionKind& kind, std::string_view namespace_) const {
  const auto [first, last] = informers.equal_range(kind);
  return std::any_of(first, last, [&](const auto& known) {
    const auto sources = sources_in(*known.second, namespace_);
    return known.second->has_no_selector() && sources && is_cached_whole(*sources);
  });
}

bool ClusterHandle::has_one_watch(const GroupVersionKind& kind) const { return informers.count(kind) == 1; }

// Sets of whole objects take precedence over those of metadata, then sets without selectors over those with selectors,
// and caches over the server.
std::vector<ListSource> ClusterHandle::sources_of(const GroupVersionKind& kind, const CacheListOptions& list,
                                                  bool is_owned) const {
  const bool has_selector_of_watch =
      is_owned && list.label_selector.empty() && list.field_selector.empty() && has_one_watch(kind);
  const bool selects_cached = !list.index.empty() || has_selector_of_watch;
  std::optional<std::vector<ListSource>> incomplete;
  const auto [first, last] = informers.equal_range(kind);
  for (const auto& [metadata_only, has_selector] :
       {std::pair(false, false), {false, true}, {true, false}, {true, true}}) {
    if (metadata_only && incomplete) break;
    for (auto at = first; at != last; ++at) {
      const InformerSet& set = *at->second;
      if (set.has_only_metadata() != metadata_only || set.has_no_selector() == has_selector) continue;
      if (has_selector && !selects_cached && !selects_no_more(list, set.options())) continue;
      auto sources = sources_in(set, list.namespace_);
      if (sources && is_cached_whole(*sources)) return std::move(*sources);
      if (sources && !incomplete) incomplete = std::move(sources);
    }
  }
  if (incomplete) return std::move(*incomplete);
  ListSource server{.namespace_ = list.namespace_};
  for (auto at = first; at != last && server.indexed == nullptr; ++at) {
    const auto members = at->second->members();
    if (!members->empty()) server.indexed = members->front();
  }
  return {std::move(server)};
}

}  // namespace pintle
