// SPDX-License-Identifier: Apache-2.0
// RequestCounts: counts requests by kind, verb and status code.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include <pintle/base/metrics.hpp>
#include <pintle/base/mutex.hpp>

#include "apiserver/call/call.hpp"

namespace pintle::apiserver {

// Keeps the counters of a registry by their labels, because a lookup in the registry costs a tenth of a write.
// Thread-safe. The registry must outlive this object.
class RequestCounts {
 public:
  RequestCounts(Executor& executor, MetricsRegistry& metrics) : metrics_(metrics), mutex_(executor) {}

  void add(const Call& call, std::string_view verb, int code);

 private:
  // Code, verb, resource, group, version, subresource.
  template <class Text>
  using Labelled = std::tuple<int, Text, Text, Text, Text, Text>;

  struct ByText {
    using is_transparent = void;
    bool operator()(const Labelled<std::string_view>& a, const Labelled<std::string_view>& b) const { return a < b; }
  };

  Counter counter_of(const Labelled<std::string_view>& labelled);

  MetricsRegistry& metrics_;
  Mutex mutex_;
  std::map<Labelled<std::string>, Counter, ByText> counters_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle::apiserver
