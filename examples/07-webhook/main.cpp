// SPDX-License-Identifier: Apache-2.0
// webhook-operator: Proxy has two versions; webhooks set a default, check each change and convert between the versions.
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>

#include <pintle/pintle.hpp>
#include <pintle/webhook/admission.hpp>

namespace v2 {
struct Proxy;
}

namespace v1 {
// The version of earlier releases, without TLS. Its objects keep the field `tls` of v2 in an annotation.
struct Proxy {
  static constexpr pintle::Type type{"demo.pintle.dev/v1", "Proxy"};
  struct Spec {
    std::string upstream{};
    static constexpr auto fields() {
      return pintle::fields(pintle::field("upstream", &Spec::upstream, "HOST or HOST:PORT.").required());
    }
  };
  pintle::Metadata metadata{};
  Spec spec{};
  pintle::Result<void> to(v2::Proxy& stored) const;
  void from(const v2::Proxy& stored);
};
}  // namespace v1

namespace v2 {
struct Proxy {
  static constexpr pintle::Type type{"demo.pintle.dev/v2", "Proxy"};
  using versions = pintle::Versions<Proxy, v1::Proxy>;  // the hub is first
  struct Spec {
    std::string host{};
    std::optional<std::uint16_t> port{};
    bool tls = false;
    static constexpr auto fields() {
      return pintle::fields(
          pintle::field("host", &Spec::host, "Host.").required().pattern("^[^:]+$").column("Host"),  // v1: HOST:PORT
          pintle::field("port", &Spec::port, "Default: 80, or 443 with TLS.").minimum(1).maximum(65535).column("Port"),
          pintle::field("tls", &Spec::tls, "Whether requests are sent by TLS.").column("TLS"));
    }
  };
  pintle::Metadata metadata{};
  Spec spec{};
};
}  // namespace v2

std::string upstream_of(const v2::Proxy& proxy) {
  return proxy.spec.host + (proxy.spec.port ? ":" + std::to_string(*proxy.spec.port) : "");
}

// An error rejects the request of the user with this message.
pintle::Result<void> v1::Proxy::to(v2::Proxy& stored) const {
  const std::size_t colon = spec.upstream.find(':');
  stored.spec.host = spec.upstream.substr(0, colon);
  if (colon == std::string::npos) return {};
  const std::string port = spec.upstream.substr(colon + 1);
  const auto read = std::from_chars(port.data(), port.data() + port.size(), stored.spec.port.emplace());
  if (read.ec == std::errc() && read.ptr == port.data() + port.size()) return {};
  return pintle::fail(pintle::ErrorCode::invalid, "spec.upstream: '" + port + "' is not a port");
}
void v1::Proxy::from(const v2::Proxy& stored) {
  spec.upstream = upstream_of(stored);
}

void set_port(v2::Proxy& proxy) {
  if (!proxy.spec.port) proxy.spec.port = proxy.spec.tls ? 443 : 80;
}

pintle::AdmissionVerdict check_tls(const v2::Proxy& proxy, const pintle::AdmissionContext& context) {
  const auto before = context.old_object<v2::Proxy>();  // an error for a creation
  const bool is_switched_off = before && before->spec.tls && !proxy.spec.tls;
  return is_switched_off ? pintle::denied("TLS cannot be switched off") : pintle::admitted();
}

pintle::Outcome write_address(const v2::Proxy& proxy, pintle::Context& ctx) {
  const std::string address = (proxy.spec.tls ? "https://" : "http://") + upstream_of(proxy);
  return ctx.apply(pintle::ConfigMap{.metadata = pintle::owned_by(proxy), .data = {{"address", address}}});
}

int main(int argc, char** argv) {
  pintle::Manager manager{{.name = "webhook-operator", .args = {argc, argv}, .webhooks = {.listen = "0.0.0.0:9443"}}};
  manager.add(pintle::Controller<v2::Proxy>{.owns = {pintle::ConfigMap::type}, .reconcile = write_address});
  manager.add(pintle::Admission<v2::Proxy>{.defaults = set_port, .validate = check_tls});
  return pintle::run_until_signal(manager);
}
