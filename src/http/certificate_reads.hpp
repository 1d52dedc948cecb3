// SPDX-License-Identifier: Apache-2.0
// The metrics of reads of certificate files, with the names of controller-runtime.
#pragma once

#include <pintle/base/metrics.hpp>

namespace pintle::http {

struct CertificateReads {
  Counter all{};
  Counter failed{};
};

// Thread-safe.
inline CertificateReads certificate_reads(MetricsRegistry& metrics) {
  return {.all = metrics.counter("certwatcher_read_certificate_total", "Reads of certificate files."),
          .failed = metrics.counter("certwatcher_read_certificate_errors_total",
                                    "Reads of certificate files without a usable result.")};
}

}  // namespace pintle::http
