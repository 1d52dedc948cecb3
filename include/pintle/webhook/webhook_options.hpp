// SPDX-License-Identifier: Apache-2.0
// WebhookOptions: how a manager serves its webhooks, and how the API server reaches them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <pintle/base/time.hpp>
#include <pintle/http/server_factory.hpp>

namespace pintle {

/// Which webhook configurations the manager writes when it starts. A configuration of another manager is never written.
enum class WebhookPolicy {
  never,       ///< writes none; --print-webhooks prints them
  if_missing,  ///< creates missing ones, and renews the certificate authority of its own ones
  /// Also replaces its own ones, and deletes those that it no longer declares, unless a later version of the operator
  /// installed them.
  upgrade,
};

struct WebhookOptions {
  /// HOST:PORT; without a host, all machines can connect. Default: off. A manager with admissions requires this option.
  std::string listen{};
  /// The certificate (PEM, with its chain) and its key. After a change they are read again within 10 seconds. Default:
  /// the certificate in `secret`. With `url`, a certificate is generated at each start instead, which suits one
  /// instance only, because each start replaces the authority in the configurations.
  std::string certificate_file{};
  std::string key_file{};
  /// The authorities (PEM) that signed the certificate, for the configurations and CRDs. After a change they are read
  /// again within 10 seconds; a certificate of new authorities is used 30 seconds after the API server received them.
  /// Default with certificate files: none, so the API server uses the authorities of its machine, or another program
  /// sets them.
  std::string ca_file{};
  /// A Secret in the namespace of the service, in which the instances of the operator share an authority and a
  /// certificate. The first instance creates the Secret. The certificate is renewed after two thirds of its life, and
  /// the Secret is created again if it is lost. Default: the name of the manager with "-webhooks".
  std::string secret{};
  /// A Secret of another program, such as cert-manager, in the same namespace: tls.crt, tls.key and, optionally,
  /// ca.crt. It is read every 10 seconds and never written. Cannot be combined with the files or `secret`.
  std::string foreign_secret{};
  /// "https://HOST:PORT" at which the API server reaches the webhooks, for an operator outside of the cluster. Default:
  /// the service. If the operator is in the cluster nevertheless, set `service_namespace` to its namespace. The
  /// certificates that the manager makes are valid for this host and, if `service_namespace` is set, also for the
  /// service. Without a URL they are valid for the service.
  std::string url{};
  std::string service{};            ///< default: the name of the manager
  std::string service_namespace{};  ///< default: that of the pod or of the context
  std::uint16_t service_port = 443;
  WebhookPolicy install = WebhookPolicy::if_missing;
  /// Number of threads that call the functions of admissions; as many call those of conversions. At least 1.
  std::int64_t threads = 8;
  /// How long the webhooks are served after a stop is requested, at least. When the pod is no longer ready, it takes
  /// some seconds until the proxies of all nodes send no more calls to it. ManagerOptions::stop_timeout limits this
  /// time, and it passes while reconciles end. Default: 5 seconds in a pod and in a simulation, otherwise 0.
  std::optional<Duration> drain{};
  /// Starts the server of the webhooks; default: http::serve_on_socket(). A simulation replaces it.
  http::ServerFactory serve{};
};

/// The default value of a member. If the initializer were `{}`, GCC 12 would report the member as uninitialized in the
/// code of users (-O3 -Wall).
[[nodiscard]] inline WebhookOptions default_webhook_options() noexcept { return {}; }

}  // namespace pintle
