// SPDX-License-Identifier: Apache-2.0
// Wire: the bytes of one connection to a server, with or without TLS.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <openssl/bio.h>
#include <openssl/ssl.h>

#include "http/net/client_tls.hpp"

namespace pintle::http {

// How a TLS session reads and writes a socket. Unlike the BIO of OpenSSL, it never raises SIGPIPE, so any thread may
// use it, and it receives many records at once: a Go server sends records of 4 KiB, and OpenSSL would call recv()
// twice for each of them.
class SocketBio {
 public:
  SocketBio();

  // Connects a session with a socket, which it does not close. Returns false if there is not enough memory.
  [[nodiscard]] bool connect(SSL& session, int socket) const;
  // Whether the session has received bytes that it has not processed.
  [[nodiscard]] static bool has_received(const SSL& session);

 private:
  std::unique_ptr<BIO_METHOD, Freer<BIO_meth_free>> method_;
};

// Owns a non-blocking socket and, with TLS, its session after the handshake. Used by one thread at a time, except for
// interrupt().
class Wire {
 public:
  enum class Status {
    ok,           // some bytes were moved
    wants_read,   // nothing can be moved until the socket is readable
    wants_write,  // nothing can be moved until the socket is writable
    closed,       // the peer has closed the connection
    failed,       // see failure()
  };
  struct Progress {
    Status status = Status::ok;
    std::size_t bytes = 0;
  };
  struct Failure {
    int os_error = 0;        // 0: the failure is of TLS
    long verify_result = 0;  // X509_V_…
    std::string detail{};    // the reason that OpenSSL states
  };

  // Owns the socket. `session` of `tls` is connected with the socket; both are null without TLS.
  Wire(int socket, TlsSession session, std::shared_ptr<ClientTls> tls)
      : socket_(socket), tls_(std::move(tls)), session_(std::move(session)) {}
  Wire(Wire&& other) noexcept;
  Wire& operator=(Wire&& other) noexcept;
  ~Wire();  // closes the connection; a TLS peer is notified if that is possible at once

  // Carries out the TLS handshake; ok at its end.
  [[nodiscard]] Progress shake_hands();
  [[nodiscard]] Progress read(std::span<char> into);
  // Whether a part of the received bytes has not been read yet. If not, read() calls recv().
  [[nodiscard]] bool has_received() const {
    return session_ != nullptr && (SSL_has_pending(session_.get()) == 1 || SocketBio::has_received(*session_));
  }
  [[nodiscard]] Progress write(std::string_view bytes);
  // Whether an idle connection can be used: the peer has neither closed it nor sent anything.
  [[nodiscard]] bool is_usable();

  // Makes the socket readable only when it holds this many bytes, or when the peer has closed it. It begins with 1.
  void wake_at(int bytes) const noexcept;

  // Ends all reads and writes, also those that wait for the socket. Thread-safe, while the wire exists.
  void interrupt() const noexcept;

  [[nodiscard]] int socket() const noexcept { return socket_; }
  [[nodiscard]] const Failure& failure() const noexcept { return failure_; }

 private:
  [[nodiscard]] Progress progress_of(long moved);
  [[nodiscard]] Progress failed(int os_error);
  void close();

  int socket_;
  std::shared_ptr<ClientTls> tls_;
  TlsSession session_;
  Failure failure_;
  bool is_broken_ = false;  // no close notification can be sent
};

}  // namespace pintle::http
