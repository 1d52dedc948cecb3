#include <pintle/manager/manager_cache.hpp>

#include <pintle/object/selector.hpp>

#include "controller/cluster_handle.hpp"

namespace pintle {

Error ManagerCache::not_declared(const GroupVersionKind& kind) const {
  const std::string name = kind.to_string();
  if (cluster_->informers.contains(kind)) {
    return make_error(ErrorCode::invalid, "the caches of cluster " + cluster_->name + " have only a part of " + name +
                                              ", because its watches have selectors or a namespace; repeat these in "
                                              "the options, or read through Manager::client()");
  }
  return make_error(ErrorCode::invalid,
                    "no controller watches " + name + " in cluster " + cluster_->name +
                        "; add the kind to .owns or .watches of a controller, or read through Manager::client()");
}

Result<Object> ManagerCache::get(const GroupVersionKind& kind, const ObjectKey& key) const {
  const Informer* informer = cluster_->informer_of(kind, key);
  if (informer == nullptr) return fail(not_declared(kind));
  if (Object object = informer->store().get(key)) return object;
  return fail(ErrorCode::not_found, informer->resource().to_string() + " \"" + key.name + "\" not found");
}

Result<std::vector<Object>> ManagerCache::list(const GroupVersionKind& kind, const ListOptions& options) const {
  const auto labels = LabelSelector::parse(options.label_selector);
  if (!labels) return fail(Error(labels.error()).with_operation("list " + kind.to_string()));
  const auto fields = FieldSelector::parse(options.field_selector);
  if (!fields) return fail(Error(fields.error()).with_operation("list " + kind.to_string()));
  const Informer* informer = cluster_->informer_for(kind, options);
  if (informer == nullptr) return fail(not_declared(kind));
  std::vector<Object> objects = informer->store().list(options.namespace_);
  std::erase_if(objects, [&](const Object& object) {
    return !labels->matches(object.labels()) || !fields->matches(object.root());
  });
  return objects;
}

}  // namespace pintle
