// SPDX-License-Identifier: Apache-2.0
#include "cache_search.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <pintle/object/selector.hpp>

#include "cache/index_definition.hpp"
#include "cache/table_state.hpp"

namespace pintle {
namespace {

struct Selection {
  LabelSelector labels{};
  FieldSelector fields{};
};

Result<Selection> selection_of(const CacheListOptions& options) {
  auto labels = LabelSelector::parse(options.label_selector);
  if (!labels) return fail(std::move(labels.error()));
  auto fields = FieldSelector::parse(options.field_selector);
  if (!fields) return fail(std::move(fields.error()));
  return Selection{std::move(*labels), std::move(*fields)};
}

// Returns the search with the fewest objects by a label that must have one value, or an empty query.
IndexQuery label_query(const LabelSelector& labels, const Store& store, std::string_view namespace_) {
  std::vector<IndexQuery> queries;
  for (const LabelSelector::Requirement& one : labels.requirements) {
    const bool is_equality = one.op == LabelSelector::Requirement::Operator::in && one.values.size() == 1;
    if (is_equality) queries.push_back(by_label(one.key, one.values.front()));
  }
  if (queries.empty()) return {};
  if (queries.size() == 1) return std::move(queries.front());
  const auto count = [&](const IndexQuery& query) { return store.count(query, namespace_); };
  return std::move(*std::ranges::min_element(queries, {}, count));
}

Error no_index(const GroupVersionKind& kind, const std::string& name) {
  return make_error(ErrorCode::invalid, "the cache of " + kind.to_string() + " has no index \"" + name +
                                            "\"; add Index{.kind = …, .name = \"" + name +
                                            "\", .keys = …} to Controller::indexes")
      .terminal();
}

// Returns null if the index is neither built in nor declared.
std::shared_ptr<const IndexDefinition> definition_of(std::string_view name, const Informer* indexed) {
  const auto indexes = indexed == nullptr ? nullptr : indexed->store().new_table().indexes();
  const auto declared = indexes == nullptr ? std::nullopt : indexes->find(name);
  return declared ? indexes->all[*declared].definition : IndexDefinition::built_in(name);
}

}  // namespace

Result<ObjectRange> select_by_index(const GroupVersionKind& kind, ObjectRange range, const IndexQuery& query,
                                    const Informer* indexed) {
  if (query.empty()) return range;
  const auto definition = definition_of(query.name, indexed);
  if (!definition) return fail(no_index(kind, query.name));
  return range.where([&](const Object& object) { return definition->has(object, query.value); });
}

// Searches by the declared index, by owner or by a label, whichever comes first, and by the others among its objects.
Result<ObjectRange> search_cache(const Informer& informer, const CacheListOptions& options, const IndexQuery& owner) {
  const GroupVersionKind& kind = informer.resource().kind;
  const auto selection = selection_of(options);
  if (!selection) return Result<ObjectRange>(fail(selection.error())).with_operation("list " + kind.to_string());
  const IndexQuery by_label = options.index.empty() && owner.empty()
                                  ? label_query(selection->labels, informer.store(), options.namespace_)
                                  : IndexQuery();
  const IndexQuery& query = !options.index.empty() ? options.index : !owner.empty() ? owner : by_label;
  auto found =
      query.empty() ? informer.store().range(options.namespace_) : informer.store().find(query, options.namespace_);
  if (!found) return fail(no_index(kind, query.name));
  auto owned = &query == &owner ? Result<ObjectRange>(std::move(*found))
                                : select_by_index(kind, std::move(*found), owner, &informer);
  if (!owned || (selection->labels.empty() && selection->fields.empty())) return owned;
  return owned->where([chosen = *selection](const Object& object) {
    return chosen.labels.matches(object.labels()) && chosen.fields.matches(object.root());
  });
}

}  // namespace pintle
