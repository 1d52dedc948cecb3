// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/service/config.hpp>

#include <utility>

namespace pintle::service {
namespace {

Object unless_deleting(Object config) { return config.is_deleting() ? Object() : std::move(config); }

}  // namespace

Watches ConfigSource::watches() const {
  return {.kind = kind,
          .map_with_cache =
              [key = key](const Object& config, const CacheReader& copies) {
                return config.key() == key ? copies.keys() : std::vector<ObjectKey>();
              },
          .cluster = cluster,
          .crd = crd};
}

Result<Object> ConfigSource::current(Context& ctx) const {
  auto platform = ctx.cluster(cluster);
  if (!platform) return fail(std::move(platform.error()));
  auto config = platform->get(kind, key);
  if (config) return unless_deleting(std::move(*config));
  if (config.error().code == ErrorCode::not_found) return Object();
  return config;
}

Object ConfigSource::current(const CacheReader& copies) const {
  return unless_deleting(copies.get(kind, key, cluster));
}

}  // namespace pintle::service
