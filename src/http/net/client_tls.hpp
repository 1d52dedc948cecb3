// SPDX-License-Identifier: Apache-2.0
// ClientTls: the common part of the TLS connections to one endpoint.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <openssl/ssl.h>

#include <pintle/base/executor.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/base/result.hpp>
#include <pintle/http/message.hpp>

#include "http/openssl.hpp"

namespace pintle::http {

using TlsSession = std::unique_ptr<SSL, Freer<SSL_free>>;

// Verifies the certificate and the name of the server, presents the client certificate, and resumes earlier sessions.
// It must outlive its sessions. Thread-safe.
class ClientTls {
 public:
  // Error: invalid, if the certificates or the key of the endpoint cannot be used.
  [[nodiscard]] static Result<std::unique_ptr<ClientTls>> make(Executor& executor, const Endpoint& endpoint);
  ~ClientTls() = default;
  ClientTls(const ClientTls&) = delete;
  ClientTls& operator=(const ClientTls&) = delete;

  // Returns a session that has not begun its handshake, or null if there is not enough memory.
  [[nodiscard]] TlsSession open();

 private:
  using Context = std::unique_ptr<SSL_CTX, Freer<SSL_CTX_free>>;
  using Ticket = std::unique_ptr<SSL_SESSION, Freer<SSL_SESSION_free>>;

  ClientTls(Executor& executor, Context context, std::string name);
  static int keep_ticket(SSL* session, SSL_SESSION* ticket);

  const Context context_;
  const std::string name_;  // of the server
  Mutex mutex_;
  std::vector<Ticket> tickets_ PINTLE_GUARDED_BY(mutex_);  // each resumes one session
};

}  // namespace pintle::http
