// SPDX-License-Identifier: Apache-2.0
#include "pod_reach.hpp"

#include <pintle/http/listen_address.hpp>

namespace pintle {

void warn_of_unreachable_pages(const Cluster& home, const std::string& listen, const Log& log) {
  const auto address = http::parse_listen_address(listen);
  if (home.origin != in_cluster_origin || !address || !address->is_loopback()) return;
  log.warning("only this pod can connect to --listen, so the probes of the kubelet fail",
              {{"listen", listen}, {"next", "use 0.0.0.0:" + std::to_string(address->port)}});
}

}  // namespace pintle
