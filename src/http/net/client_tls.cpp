// SPDX-License-Identifier: Apache-2.0
#include "client_tls.hpp"

#include <string_view>
#include <utility>

#include <openssl/err.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include <pintle/http/server_url.hpp>

#include "tls.hpp"

namespace pintle::http {
namespace {

constexpr std::size_t max_tickets = 4;

Error unusable_client_certificate(std::string_view reason) {
  return make_error(
      ErrorCode::invalid,
      "client-certificate-data and client-key-data of the kubeconfig cannot be used (" + std::string(reason) + ")");
}

Result<void> trust_authorities(SSL_CTX* context, const Endpoint& endpoint) {
  if (endpoint.insecure) return {};
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  if (endpoint.ca.empty()) {
    SSL_CTX_set_default_verify_paths(context);
    return {};
  }
  const auto authorities = parse_certificates({.text = endpoint.ca});
  if (authorities && trust(context, *authorities)) return {};
  ERR_clear_error();
  return fail(ErrorCode::invalid, "certificate-authority-data of the kubeconfig contains no certificate");
}

Result<void> present_certificate(SSL_CTX* context, const Endpoint& endpoint) {
  if (endpoint.client_certificate.empty()) return {};
  const auto identity = parse_key_pair({.name = "the certificate", .text = endpoint.client_certificate},
                                       {.name = "the key", .text = endpoint.client_key});
  if (!identity) return fail(unusable_client_certificate(identity.error().message));
  if (use_key_pair(context, *identity)) return {};
  const char* reason = ERR_reason_error_string(ERR_peek_last_error());
  Error error = unusable_client_certificate(reason == nullptr ? "unknown reason" : reason);
  ERR_clear_error();
  return fail(std::move(error));
}

}  // namespace

Result<std::unique_ptr<ClientTls>> ClientTls::make(Executor& executor, const Endpoint& endpoint) {
  Context context(SSL_CTX_new(TLS_client_method()));
  if (context == nullptr) return fail(ErrorCode::unknown, "not enough memory for TLS");
  SSL_CTX* const native = context.get();
  SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
  SSL_CTX_set_mode(native,
                   SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  constexpr unsigned char protocols[] = "\x08http/1.1";
  SSL_CTX_set_alpn_protos(native, protocols, sizeof(protocols) - 1);
  if (auto trusted = trust_authorities(native, endpoint); !trusted) return fail(std::move(trusted.error()));
  if (auto presented = present_certificate(native, endpoint); !presented) return fail(std::move(presented.error()));
  std::string name = endpoint.server_name.empty() ? endpoint.host : endpoint.server_name;
  return std::unique_ptr<ClientTls>(new ClientTls(executor, std::move(context), std::move(name)));
}

ClientTls::ClientTls(Executor& executor, Context context, std::string name)
    : context_(std::move(context)), name_(std::move(name)), mutex_(executor) {
  SSL_CTX_set_session_cache_mode(context_.get(), SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
  SSL_CTX_sess_set_new_cb(context_.get(), &ClientTls::keep_ticket);
  SSL_CTX_set_app_data(context_.get(), this);
}

int ClientTls::keep_ticket(SSL* session, SSL_SESSION* ticket) {
  auto& self = *static_cast<ClientTls*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(session)));
  const MutexLock lock(self.mutex_);
  if (self.tickets_.size() == max_tickets) self.tickets_.erase(self.tickets_.begin());
  self.tickets_.emplace_back(ticket);
  constexpr int keeps_reference = 1;
  return keeps_reference;
}

TlsSession ClientTls::open() {
  TlsSession session(SSL_new(context_.get()));
  if (session == nullptr) return session;
  SSL_set_connect_state(session.get());
  if (is_ip_address(name_)) {
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session.get()), name_.c_str());
  } else {
    SSL_set_tlsext_host_name(session.get(), name_.c_str());
    SSL_set_hostflags(session.get(), X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    SSL_set1_host(session.get(), name_.c_str());
  }
  const MutexLock lock(mutex_);
  if (!tickets_.empty()) {
    SSL_set_session(session.get(), tickets_.back().get());
    tickets_.pop_back();
  }
  return session;
}

}  // namespace pintle::http
