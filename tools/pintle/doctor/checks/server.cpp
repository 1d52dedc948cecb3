// SPDX-License-Identifier: Apache-2.0
// The checks server, version and clock, which use one request.
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include <pintle/http/transport.hpp>

#include "doctor/checks/checks.hpp"

namespace pintle::doctor {
namespace {

using namespace std::chrono_literals;

// Server-side apply, which all patterns use, is stable since 1.22.
constexpr int oldest_working_minor = 22;
// The types of pintle/api can be generated from this version and later ones.
constexpr int oldest_supported_minor = 30;
constexpr Duration noticeable_skew = 2s;
constexpr Duration harmful_skew = 30s;

std::string name_of_server(ClusterReader& cluster) {
  const Cluster& configured = cluster.client().cluster();
  const std::string url = configured.endpoint ? configured.endpoint->url() : "the API server";
  return configured.origin.empty() ? url : fmt::format("{} ({})", url, configured.origin);
}

struct Remedy {
  std::string problem{};
  std::string action{};
};

Remedy remedy_for(const Error& error) {
  const std::string text = error.to_string();
  if (error.reason == time_is_over) return {"was not checked: the time of --timeout is over", "use a longer --timeout"};
  if (error.reason == http::untrusted_certificate) {
    return {"the certificate of the server is not trusted: " + text,
            "set certificate-authority-data (or tls-server-name) of the cluster in the kubeconfig, or renew the "
            "certificate of the server"};
  }
  switch (error.code) {
    case ErrorCode::unreachable:
      return {"cannot be reached: " + text,
              "check that the server runs, and the address of the cluster in the kubeconfig; --kubeconfig and "
              "--context select another one"};
    case ErrorCode::unauthorized:
      return {"the credentials are rejected: " + text, "renew the token or certificate of the user in the kubeconfig"};
    case ErrorCode::timeout:
      return {"does not respond within 10 s: " + text, "check the load of the API server and the network to it"};
    case ErrorCode::unsupported:
    case ErrorCode::not_found:
      return {"is not a Kubernetes API server: " + text, "correct the address of the cluster in the kubeconfig"};
    default:
      return {"the request to /version failed: " + text,
              "check the API server (`kubectl get --raw '/readyz?verbose'`) and its log"};
  }
}

// Managed clusters have minor versions such as "30+".
int leading_number(const std::string& text) {
  int number = -1;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string text_of(Duration duration) {
  return format_duration(std::chrono::round<std::chrono::seconds>(std::chrono::abs(duration)));
}

}  // namespace

void check_server(const CheckInput& input, Lines& lines) {
  const auto& facts = input.cluster.server();
  const std::string name = name_of_server(input.cluster);
  if (facts) return lines.ok(name, "responds");
  // The server has authenticated the user.
  if (facts.error().code == ErrorCode::forbidden) return lines.ok(name, "responds");
  Remedy remedy = remedy_for(facts.error());
  lines.fail(name, std::move(remedy.problem), std::move(remedy.action));
}

void check_version(const CheckInput& input, Lines& lines) {
  const auto& facts = input.cluster.server();
  if (!facts) {
    return lines.skip("Kubernetes", "the version cannot be read: " + facts.error().to_string(),
                      "allow the user of the kubeconfig to get /version (ClusterRole system:public-info-viewer)");
  }
  const int minor = leading_number(facts->minor);
  const bool is_major_1 = facts->major == "1";
  if (!is_major_1 || minor < 0) {
    return lines.warn("Kubernetes " + facts->version, "is a version that pintle has no rules for",
                      "use a release of pintle that supports it");
  }
  if (minor < oldest_working_minor) {
    return lines.fail("Kubernetes " + facts->version, "has no stable server-side apply, which operators need",
                      fmt::format("upgrade the cluster to 1.{} or newer", oldest_supported_minor));
  }
  if (minor < oldest_supported_minor) {
    return lines.warn("Kubernetes " + facts->version,
                      fmt::format("is older than 1.{}, the oldest supported version", oldest_supported_minor),
                      fmt::format("upgrade the cluster to 1.{} or newer", oldest_supported_minor));
  }
  lines.ok("Kubernetes " + facts->version, "is supported");
}

void check_clock(const CheckInput& input, Lines& lines) {
  const auto& facts = input.cluster.server();
  const std::string subject = "clock of this machine";
  if (!facts || !facts->ahead) {
    return lines.skip(subject, "the response of the server has no header Date",
                      "compare the clocks by hand: `date -u` on both machines");
  }
  const Duration skew = std::chrono::abs(*facts->ahead);
  if (skew <= noticeable_skew) return lines.ok(subject, "differs from the server by at most 2s");
  const std::string detail =
      fmt::format("is {} {} the clock of the server", text_of(skew), *facts->ahead > 0s ? "ahead of" : "behind");
  const std::string action = "synchronize the clocks of both machines by NTP (`timedatectl set-ntp true`)";
  if (skew > harmful_skew) {
    return lines.fail(subject, detail + ", so that leases, tokens and certificates are misjudged", action);
  }
  lines.warn(subject, detail, action);
}

}  // namespace pintle::doctor
