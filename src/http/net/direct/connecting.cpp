// SPDX-License-Identifier: Apache-2.0
#include "connecting.hpp"

#include <array>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace pintle::http {
namespace {

// Whether a name lookup can open the descriptors that it needs.
bool can_look_up_names() {
  std::array<int, 4> ends{-1, -1, -1, -1};
  const bool can = ::pipe2(ends.data(), O_CLOEXEC) == 0 && ::pipe2(&ends[2], O_CLOEXEC) == 0;
  for (const int end : ends) {
    if (end >= 0) ::close(end);
  }
  return can;
}

}  // namespace

Connecting::Connecting(std::shared_ptr<const Endpoint> endpoint, std::shared_ptr<ClientTls> tls, Poller& poller,
                       Easy by, OnDone on_done)
    : Job(std::move(by)),
      request_{.endpoint = std::move(endpoint)},
      tls_(std::move(tls)),
      poller_(poller),
      on_done_(std::move(on_done)) {}

Connecting::~Connecting() {
  if (socket_ >= 0) ::close(socket_);
}

Result<void> Connecting::prepare(const NetworkOptions& options) {
  return easy.prepare_connection(request_, options, *this);
}

bool Connecting::may_send() {
  name_lookup_ = easy.name_lookup(*request_.endpoint);
  socket_ = easy.take_socket();
  poller_.remove(socket_);
  return false;
}

void Connecting::on_done(CURLcode code) { on_done_(socket_ >= 0 ? CURLE_OK : code); }

bool Connecting::begin_handshake(const SocketBio& bio) {
  TlsSession session = tls_ == nullptr ? nullptr : tls_->open();
  if (tls_ != nullptr && (session == nullptr || !bio.connect(*session, socket_))) return false;
  wire_.emplace(std::exchange(socket_, -1), std::move(session), tls_);
  return true;
}

Failure Connecting::failure(CURLcode code) const {
  if (!wire_) {
    Failure failure = easy.failure(code);
    // A failed name lookup does not report that it lacked descriptors.
    if (code == CURLE_COULDNT_RESOLVE_HOST && !can_look_up_names()) failure.os_error = EMFILE;
    return failure;
  }
  const Wire::Failure& of_wire = wire_->failure();
  return {.code = of_wire.verify_result != X509_V_OK ? CURLE_PEER_FAILED_VERIFICATION : CURLE_SSL_CONNECT_ERROR,
          .os_error = of_wire.os_error,
          .verify_result = of_wire.verify_result,
          .detail = of_wire.detail};
}

Connected Connecting::take(ConnectionPool& pool, ConnectionPool::Slot slot) {
  return {pool.open(std::move(slot), std::move(*wire_), request_.endpoint), name_lookup_};
}

}  // namespace pintle::http
