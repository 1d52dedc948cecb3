#include "cluster_handle.hpp"

#include <algorithm>

#include <pintle/object/selector.hpp>

namespace pintle {
namespace {

using Requirement = LabelSelector::Requirement;

bool covers(const Informer& informer, std::string_view namespace_) {
  const std::string& watched = informer.options().namespace_;
  return watched.empty() || namespace_.empty() || watched == namespace_;
}

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

}  // namespace

bool has_no_selector(const Informer& informer) {
  return informer.options().label_selector.empty() && informer.options().field_selector.empty();
}

Result<Object> ClusterHandle::noted(const GroupVersionKind& kind, Result<Object> written) {
  if (written && !informers.contains(kind)) newest_writes.note(kind, *written);
  return written;
}

Informer* ClusterHandle::informer(const GroupVersionKind& kind, std::string_view namespace_) const {
  const auto [first, last] = informers.equal_range(kind);
  const auto found = std::find_if(first, last, [&](const auto& known) {
    return known.second->is_readable() && has_no_selector(*known.second) && covers(*known.second, namespace_);
  });
  return found == last ? nullptr : found->second;
}

Informer* ClusterHandle::informer_of(const GroupVersionKind& kind, const ObjectKey& key) const {
  if (Informer* whole = informer(kind, key.namespace_)) return whole;
  const auto [first, last] = informers.equal_range(kind);
  const auto found = std::find_if(first, last, [&](const auto& known) {
    return known.second->is_readable() && known.second->store().get(key).exists();
  });
  return found == last ? nullptr : found->second;
}

Informer* ClusterHandle::informer_for(const GroupVersionKind& kind, const CacheListOptions& list) const {
  if (Informer* whole = informer(kind, list.namespace_)) return whole;
  const auto [first, last] = informers.equal_range(kind);
  const auto found = std::find_if(first, last, [&](const auto& known) {
    if (!known.second->is_readable() || !covers(*known.second, list.namespace_)) return false;
    return !list.index.empty() || selects_no_more(list, known.second->options());
  });
  return found == last ? nullptr : found->second;
}

}  // namespace pintle
