// SPDX-License-Identifier: Apache-2.0
// InformerMetrics: the metrics of an informer, with the names that existing dashboards use.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <pintle/base/annotations.hpp>
#include <pintle/base/metrics.hpp>
#include <pintle/base/time.hpp>
#include <pintle/client/resource.hpp>

namespace pintle {

/// The metrics informer_{queued_items,processing_latency_seconds,store_resource_version} of one resource, with the
/// labels and buckets of client-go, and pintle_{informer_dropped_objects,index_errors}_total and
/// pintle_informer_provisional_objects. Informers of the same resource, for example in several namespaces, share them.
/// Thread-safe.
class PINTLE_EXPORT InformerMetrics {
 public:
  InformerMetrics() = default;  ///< records nothing
  InformerMetrics(MetricsRegistry& registry, const std::string& name, const Resource& resource);

  /// Changes the number of objects whose change waits for the handlers.
  void queued(int difference) const { queued_.add(difference); }
  void handled(Duration took) const { handling_.observe(std::chrono::duration<double>(took).count()); }
  /// Counts objects that are left out of the store. An object counts each time that it is left out.
  void dropped(std::size_t objects) const { dropped_.add(static_cast<double>(objects)); }
  /// Counts an object that an index leaves out because its function failed.
  void index_failed(const std::string& index) const;
  /// The number of objects whose state in the store is that of an own write, before the watch has delivered it.
  [[nodiscard]] const Gauge& provisional() const noexcept { return provisional_; }
  /// Records the last 15 digits of the version, because a double cannot hold more.
  void set_store_version(std::string_view resource_version) const;

 private:
  Gauge queued_;
  Histogram handling_;
  Gauge version_;
  Counter dropped_;
  Gauge provisional_;
  MetricsRegistry* registry_ = nullptr;
  Labels labels_{};
};

}  // namespace pintle
