// SPDX-License-Identifier: Apache-2.0
#include <pintle/cache/informer_metrics.hpp>

#include <charconv>
#include <cstdint>
#include <vector>

namespace pintle {

namespace {

const std::vector<double> buckets{0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};

}  // namespace

InformerMetrics::InformerMetrics(MetricsRegistry& registry, const std::string& name, const Resource& resource) {
  const Labels labels{{"name", name},
                      {"group", resource.kind.group},
                      {"version", resource.kind.version},
                      {"resource", resource.plural}};
  queued_ = registry.gauge("informer_queued_items", "Objects with a change that waits for its handlers.", labels);
  handling_ = registry.histogram("informer_processing_latency_seconds", "Seconds that the handlers of a change took.",
                                 labels, buckets);
  version_ = registry.gauge("informer_store_resource_version",
                            "The 15 least significant digits of the store's resource version.", labels);
  provisional_ = registry.gauge("pintle_informer_provisional_objects",
                                "Objects that show an own write which the watch has not delivered yet.", labels);
  registry_ = &registry;
  labels_ = labels;
  dropped_ = registry.counter("pintle_informer_dropped_objects_total",
                              "Objects left out of the store because their transform failed.", labels);
}

void InformerMetrics::index_failed(const std::string& index) const {
  if (registry_ == nullptr) return;
  Labels labels = labels_;
  labels.emplace("index", index);
  registry_->counter("pintle_index_errors_total", "Objects left out of an index because its function failed.", labels)
      .add();
}

void InformerMetrics::set_store_version(std::string_view resource_version) const {
  constexpr std::size_t max_digits = 15;
  if (resource_version.size() > max_digits) resource_version.remove_prefix(resource_version.size() - max_digits);
  std::uint64_t number = 0;
  const auto read = std::from_chars(resource_version.begin(), resource_version.end(), number);
  if (read.ec == std::errc() && read.ptr == resource_version.end()) version_.set(static_cast<double>(number));
}

}  // namespace pintle
