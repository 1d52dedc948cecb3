// SPDX-License-Identifier: Apache-2.0
#include "request_counts.hpp"

#include <utility>

namespace pintle::apiserver {

void RequestCounts::add(const Call& call, std::string_view verb, int code) {
  const Resource& of = *call.resource;
  counter_of({code, verb, of.plural, of.group, of.version, call.subresource}).add();
}

Counter RequestCounts::counter_of(const Labelled<std::string_view>& labelled) {
  const MutexLock lock(mutex_);
  if (const auto found = counters_.find(labelled); found != counters_.end()) return found->second;
  Labelled<std::string> kept(labelled);
  const auto& [code, verb, resource, group, version, subresource] = kept;
  const Labels labels{{"verb", verb},
                      {"group", group},
                      {"version", version},
                      {"resource", resource},
                      {"subresource", subresource},
                      {"code", std::to_string(code)}};
  const Counter counter =
      metrics_.counter("apiserver_request_total", "Number of requests for resources, by response code.", labels);
  counters_.emplace(std::move(kept), counter);
  return counter;
}

}  // namespace pintle::apiserver
