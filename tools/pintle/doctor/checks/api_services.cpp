// SPDX-License-Identifier: Apache-2.0
// The check api-services. While the server of an aggregated API is unavailable, discovery, the deletion of namespaces
// and garbage collection are incomplete.
#include <fmt/format.h>

#include "doctor/checks/checks.hpp"
#include "doctor/conditions.hpp"

namespace pintle::doctor {
namespace {

constexpr Type api_service_type{"apiregistration.k8s.io/v1", "APIService"};

}  // namespace

void check_api_services(const CheckInput& input, Lines& lines) {
  const auto& services = input.cluster.list(api_service_type);
  if (!services) return lines.unreadable("APIServices", services.error(), {"apiregistration.k8s.io", "apiservices"});
  for (const Object& one : services->objects) {
    const json::View available = condition_of(one, "Available");
    if (is_true(available)) continue;
    const json::View service = one["/spec/service"];
    // The server itself serves an API without a service.
    if (!service.is_object() && !available) continue;
    const std::string_view namespace_ = service.member("namespace").text();
    lines.fail(fmt::format("APIService {}", one.name()),
               available ? fmt::format("is not available: {}: {}", available.member("reason").text(),
                                       available.member("message").text())
                         : "has no condition Available",
               fmt::format("repair service {}/{} (kubectl get pods -n {}), or, if its program was removed: kubectl "
                           "delete apiservice {}",
                           namespace_, service.member("name").text(), namespace_, one.name()));
  }
  if (lines.empty()) lines.ok_of_all("APIServices", services->objects.size(), "are available");
}

}  // namespace pintle::doctor
