// SPDX-License-Identifier: Apache-2.0
#include "cache_health.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <pintle/base/text.hpp>
#include <pintle/controller/clusters.hpp>

#include "base/numbers.hpp"

namespace pintle {
namespace {

constexpr std::array all_states{InformerState::waiting, InformerState::forbidden, InformerState::syncing,
                                InformerState::synced, InformerState::inactive};

std::string suffix_of(const std::string& cluster) {
  return cluster == home_cluster ? std::string() : " (cluster " + cluster + ")";
}

bool may_be_missing(const ManagedCluster::Source& source, InformerState state) {
  return state == InformerState::inactive || (source.need.if_served && state == InformerState::waiting);
}

}  // namespace

CacheHealth::CacheHealth(Executor& executor, MetricsRegistry& metrics, std::string manager, Duration max_silence)
    : executor_(executor),
      metrics_(metrics),
      manager_(std::move(manager)),
      max_silence_(max_silence),
      mutex_(executor) {}

void CacheHealth::add(const std::string& cluster, const std::vector<ManagedCluster::Source>& sources) {
  const MutexLock lock(mutex_);
  if (is_closed_) return;
  for (const ManagedCluster::Source& source : sources) caches_.push_back({.cluster = cluster, .source = source});
}

void CacheHealth::remove(const Informer& informer) {
  const MutexLock lock(mutex_);
  std::erase_if(caches_, [&](const Cache& cache) { return cache.source.informer.get() == &informer; });
}

void CacheHealth::close() {
  const MutexLock lock(mutex_);
  caches_.clear();
  is_closed_ = true;
}

std::vector<CacheHealth::Cache> CacheHealth::caches() const {
  const MutexLock lock(mutex_);
  return caches_;
}

std::vector<std::string> CacheHealth::missing() const {
  std::vector<std::string> lines;
  for (const Cache& cache : caches()) {
    const InformerStatus status = cache.source.informer->status();
    if (cache.source.informer->has_synced() || may_be_missing(cache.source, status.state)) continue;
    lines.push_back(status.detail + suffix_of(cache.cluster));
  }
  return lines;
}

bool CacheHealth::misses_only(const std::function<bool(const GroupVersionKind&)>& is_awaited) const {
  const std::vector<Cache> all = caches();
  return std::all_of(all.begin(), all.end(), [&](const Cache& cache) {
    const Informer& informer = *cache.source.informer;
    return informer.has_synced() || is_awaited(informer.resource().kind) ||
           may_be_missing(cache.source, informer.status().state);
  });
}

std::vector<std::string> CacheHealth::problems() const {
  std::vector<std::string> lines;
  for (const Cache& cache : caches()) {
    const InformerStatus status = cache.source.informer->status();
    if (may_be_missing(cache.source, status.state)) continue;
    if (status.state != InformerState::synced) {
      lines.push_back(status.detail + suffix_of(cache.cluster));
    } else if (std::string silence = silence_of(cache, status); !silence.empty()) {
      lines.push_back(std::move(silence));
    }
  }
  return lines;
}

std::string CacheHealth::silence_of(const Cache& cache, const InformerStatus& status) const {
  if (max_silence_ == Duration::zero() || !status.last_response) return {};
  const Duration age = executor_.now() - *status.last_response;
  if (age < max_silence_) return {};
  const std::string& namespace_ = cache.source.informer->options().namespace_;
  return "the cache of " + cache.source.informer->title() + (namespace_.empty() ? "" : " in namespace " + namespace_) +
         suffix_of(cache.cluster) + " may be outdated: the server has sent nothing about it for " +
         format_duration(age);
}

std::string CacheHealth::progress() const {
  std::size_t filled = 0;
  std::size_t needed = 0;
  std::size_t objects = 0;
  const std::vector<Cache> all = caches();
  for (const Cache& cache : all) {
    const InformerStatus status = cache.source.informer->status();
    if (status.state == InformerState::inactive) continue;
    ++needed;
    filled += status.state == InformerState::synced ? 1 : 0;
    objects += status.objects;
  }
  return std::to_string(filled) + " of " + std::to_string(needed) + " caches are filled, " + with_commas(objects) +
         (objects == 1 ? " object" : " objects");
}

void CacheHealth::measure() const {
  std::map<Labels, Totals> all = totals();
  {
    const MutexLock lock(mutex_);
    for (const auto& [labels, sum] : all) measured_.insert(labels);
    for (const Labels& labels : measured_) all.try_emplace(labels);
  }
  for (const auto& [labels, sum] : all) measure(labels, sum);
}

std::map<Labels, CacheHealth::Totals> CacheHealth::totals() const {
  std::map<Labels, Totals> all;
  for (const Cache& cache : caches()) {
    const InformerStatus status = cache.source.informer->status();
    const GroupVersionKind& kind = cache.source.informer->resource().kind;
    const std::string& plural = cache.source.informer->resource().plural;
    Totals& sum = all[{{"name", cache.cluster == home_cluster ? manager_ : manager_ + "/" + cache.cluster},
                       {"group", kind.group},
                       {"version", kind.version},
                       {"resource", plural.empty() ? to_lower_ascii(kind.kind) : plural}}];
    sum.objects += status.objects;
    sum.bytes += status.bytes;
    ++sum.states[status.state];
    if (!status.last_response) continue;
    sum.last_response = std::min(sum.last_response.value_or(*status.last_response), *status.last_response);
  }
  return all;
}

void CacheHealth::measure(const Labels& labels, const Totals& totals) const {
  const auto set = [&](const char* name, const char* help, double value) {
    metrics_.gauge(name, help, labels).set(value);
  };
  set("pintle_cache_objects", "Objects in the cache.", static_cast<double>(totals.objects));
  set("pintle_cache_bytes", "Memory of the cached objects, without the parts that they share.",
      static_cast<double>(totals.bytes));
  const Duration age = totals.last_response ? executor_.now() - *totals.last_response : Duration::zero();
  set("pintle_cache_staleness_seconds",
      "Seconds since the server last sent an event, a bookmark or a part of a list for the cache; 0 if it has sent "
      "nothing yet, or is not watched.",
      std::chrono::duration<double>(age).count());
  if (totals.last_response) {
    const auto at = (executor_.wall_now() - age).time_since_epoch();
    set("pintle_cache_last_response_timestamp_seconds",
        "When the server last sent an event, a bookmark or a part of a list for the cache, as Unix time.",
        std::chrono::duration<double>(at).count());
  }
  for (const InformerState state : all_states) {
    Labels with_state = labels;
    with_state["state"] = to_string(state);
    const auto found = totals.states.find(state);
    metrics_.gauge("pintle_cache_state", "Caches in this state.", with_state)
        .set(found == totals.states.end() ? 0 : found->second);
  }
}

}  // namespace pintle
