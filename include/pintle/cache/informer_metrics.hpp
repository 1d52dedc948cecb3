// InformerMetrics: what is measured of an informer, by the names that existing dashboards use.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <pintle/base/metrics.hpp>
#include <pintle/base/time.hpp>
#include <pintle/client/resource.hpp>

namespace pintle {

// informer_{queued_items,processing_latency_seconds,store_resource_version} of one resource; client-go's, label by
// label and bucket by bucket. And pintle_informer_dropped_objects_total, which is ours. Informers of one resource, as
// of several namespaces, share them. Thread-safe.
class InformerMetrics {
 public:
  InformerMetrics() = default;  // measures nothing
  InformerMetrics(MetricsRegistry& registry, const std::string& name, const Resource& resource);

  // An object began, or ceased, to have a change that waits for the handlers.
  void queued(int difference) const { queued_.add(difference); }
  void handled(Duration took) const { handling_.observe(std::chrono::duration<double>(took).count()); }
  // So many objects were left out of the store, each time one is.
  void dropped(std::size_t objects) const { dropped_.add(static_cast<double>(objects)); }
  // Its 15 last digits, which a double can hold.
  void store_is_at(std::string_view resource_version) const;

 private:
  Gauge queued_;
  Histogram handling_;
  Gauge version_;
  Counter dropped_;
};

}  // namespace pintle
