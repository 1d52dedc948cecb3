// SPDX-License-Identifier: Apache-2.0
#include "modes.hpp"

namespace pintle::benchmarks {

const std::vector<Mode>& all_modes() {
  static const std::vector<Mode> modes{
      {"fill", "Create --count objects.", fill, {"kind", "namespace", "concurrency", "count"}, 50'000},
      {"reset", "Delete every object of the kind.", reset, {"kind", "namespace", "concurrency"}},
      {"sync",
       "Fill a cache with all objects of the kind, and hold it.",
       measure_sync,
       {"kind", "namespace", "form", "list", "waits", "hold"}},
      {"latency",
       "Reconcile gadgets, and note in --out when each of --count values that write sends comes.",
       measure_latency,
       {"namespace", "form", "concurrency", "count", "out"},
       2'000},
      {"write",
       "Write --count values into gadgets and join them with the --out of a latency that runs.",
       write,
       {"namespace", "concurrency", "count", "rate", "out"},
       2'000},
      {"throughput",
       "Patch the status of every gadget whose observedGeneration is behind.",
       measure_throughput,
       {"namespace", "form", "concurrency"}},
      {"soak",
       "Change gadgets at --rate for --hold while a cache follows them, and compare the cache with the server.",
       measure_soak,
       {"namespace", "concurrency", "rate", "hold"}},
      {"store",
       "Write into a store of --count objects while 0, 1, 10, 80 readers list it, --hold each. Needs no server.",
       measure_store,
       {"kind", "count", "hold"},
       10'000},
      {"queue",
       "Put --count keys into a work queue and take them out. Needs no server.",
       measure_queue,
       {"concurrency", "count"},
       1'000'000},
      {"admission",
       "Send --rate AdmissionReviews a second to a webhook of this process for --hold, over TLS. Needs no server.",
       measure_admission,
       {"form", "concurrency", "rate", "hold"}},
      {"idle", "Run an operator with nothing to do for --hold.", measure_idle, {"kind", "namespace", "hold"}},
  };
  return modes;
}

}  // namespace pintle::benchmarks
