// SPDX-License-Identifier: Apache-2.0
#include "wire.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include <openssl/err.h>
#include <sys/socket.h>
#include <unistd.h>

namespace pintle::http {
namespace {

constexpr std::size_t min_look_ahead = std::size_t{16} << 10U;
constexpr std::size_t max_look_ahead = std::size_t{256} << 10U;

// The queue of errors must be empty before a call of OpenSSL. It usually is, and the check is cheap.
void clear_errors() {
  if (ERR_peek_error() != 0) ERR_clear_error();
}

bool is_temporary(int error) { return error == EAGAIN || error == EINTR; }

// The socket of a BIO, and the bytes that were received before OpenSSL reads them.
struct Source {
  explicit Source(int of) : socket(of) {}

  [[nodiscard]] std::size_t size() const noexcept { return end - begin; }

  // Receives more. The buffer grows while it is filled, and an idle connection has none.
  ssize_t receive() {
    if (bytes == nullptr) bytes = std::make_unique_for_overwrite<char[]>(capacity);
    const ssize_t count = ::recv(socket, bytes.get(), capacity, 0);
    begin = 0;
    end = count > 0 ? static_cast<std::size_t>(count) : 0;
    if (end == 0) {
      bytes.reset();
      capacity = min_look_ahead;
    }
    return count;
  }
  std::size_t take(char* into, std::size_t most) {
    const std::size_t count = std::min(most, size());
    std::memcpy(into, bytes.get() + begin, count);
    begin += count;
    const bool was_full = end == capacity;
    if (begin == end && was_full && capacity < max_look_ahead) {
      bytes.reset();
      capacity *= 2;
    }
    return count;
  }

  const int socket;
  std::size_t capacity = min_look_ahead;
  std::unique_ptr<char[]> bytes;
  std::size_t begin = 0;
  std::size_t end = 0;
};

Source& source_of(BIO* bio) { return *static_cast<Source*>(BIO_get_data(bio)); }

int read_socket(BIO* bio, char* into, int size) {
  BIO_clear_retry_flags(bio);
  Source& source = source_of(bio);
  if (source.size() == 0) {
    const ssize_t count = source.receive();
    if (count < 0 && is_temporary(errno)) BIO_set_retry_read(bio);
    if (count == 0) BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
    if (count <= 0) return static_cast<int>(count);
  }
  return static_cast<int>(source.take(into, static_cast<std::size_t>(size)));
}

int write_socket(BIO* bio, const char* bytes, int size) {
  BIO_clear_retry_flags(bio);
  const ssize_t count = ::send(source_of(bio).socket, bytes, static_cast<std::size_t>(size), MSG_NOSIGNAL);
  if (count < 0 && is_temporary(errno)) BIO_set_retry_write(bio);
  return static_cast<int>(count);
}

long control(BIO* bio, int command, long, void*) {
  if (command == BIO_CTRL_EOF) return BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0 ? 1 : 0;
  return command == BIO_CTRL_FLUSH ? 1 : 0;
}

int free_source(BIO* bio) {
  delete static_cast<Source*>(BIO_get_data(bio));
  BIO_set_data(bio, nullptr);
  return 1;
}

}  // namespace

SocketBio::SocketBio() : method_(BIO_meth_new(BIO_TYPE_SOURCE_SINK, "pintle socket")) {
  if (method_ == nullptr) return;
  BIO_meth_set_read(method_.get(), read_socket);
  BIO_meth_set_write(method_.get(), write_socket);
  BIO_meth_set_ctrl(method_.get(), control);
  BIO_meth_set_destroy(method_.get(), free_source);
}

bool SocketBio::connect(SSL& session, int socket) const {
  BIO* const bio = method_ == nullptr ? nullptr : BIO_new(method_.get());
  if (bio == nullptr) return false;
  BIO_set_data(bio, std::make_unique<Source>(socket).release());
  BIO_set_init(bio, 1);
  SSL_set_bio(&session, bio, bio);
  return true;
}

bool SocketBio::has_received(const SSL& session) {
  BIO* const bio = SSL_get_rbio(&session);
  return bio != nullptr && source_of(bio).size() != 0;
}

Wire::Wire(Wire&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      tls_(std::move(other.tls_)),
      session_(std::move(other.session_)),
      failure_(std::move(other.failure_)),
      is_broken_(other.is_broken_) {}

Wire& Wire::operator=(Wire&& other) noexcept {
  if (this == &other) return *this;
  close();
  socket_ = std::exchange(other.socket_, -1);
  session_ = std::move(other.session_);  // before the owner of its context
  tls_ = std::move(other.tls_);
  failure_ = std::move(other.failure_);
  is_broken_ = other.is_broken_;
  return *this;
}

Wire::~Wire() { close(); }

void Wire::close() {
  if (socket_ < 0) return;
  if (session_ != nullptr && !is_broken_) {
    clear_errors();
    SSL_shutdown(session_.get());
    clear_errors();
  }
  session_.reset();
  ::close(std::exchange(socket_, -1));
}

Wire::Progress Wire::shake_hands() {
  if (session_ == nullptr) return {Status::ok};
  clear_errors();
  return progress_of(SSL_do_handshake(session_.get()));
}

Wire::Progress Wire::read(std::span<char> into) {
  if (session_ != nullptr) {
    clear_errors();
    return progress_of(SSL_read(session_.get(), into.data(), static_cast<int>(into.size())));
  }
  const ssize_t count = ::recv(socket_, into.data(), into.size(), 0);
  if (count > 0) return {Status::ok, static_cast<std::size_t>(count)};
  if (count == 0) return {Status::closed};
  return is_temporary(errno) ? Progress{Status::wants_read} : failed(errno);
}

Wire::Progress Wire::write(std::string_view bytes) {
  if (session_ != nullptr) {
    clear_errors();
    return progress_of(SSL_write(session_.get(), bytes.data(), static_cast<int>(bytes.size())));
  }
  const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (count >= 0) return {Status::ok, static_cast<std::size_t>(count)};
  return is_temporary(errno) ? Progress{Status::wants_write} : failed(errno);
}

Wire::Progress Wire::progress_of(long moved) {
  if (moved > 0) return {Status::ok, static_cast<std::size_t>(moved)};
  const int os_error = errno;
  switch (SSL_get_error(session_.get(), static_cast<int>(moved))) {
    case SSL_ERROR_WANT_READ: return {Status::wants_read};
    case SSL_ERROR_WANT_WRITE: return {Status::wants_write};
    case SSL_ERROR_ZERO_RETURN: return {Status::closed};
    case SSL_ERROR_SYSCALL: return failed(os_error);
    default: return failed(0);
  }
}

Wire::Progress Wire::failed(int os_error) {
  is_broken_ = true;
  failure_.os_error = os_error;
  if (session_ != nullptr) failure_.verify_result = SSL_get_verify_result(session_.get());
  if (const char* reason = ERR_reason_error_string(ERR_peek_error())) failure_.detail = reason;
  clear_errors();
  return {Status::failed};
}

// A TLS peer may have sent session tickets, which OpenSSL processes.
bool Wire::is_usable() {
  char byte = 0;
  const ssize_t count = ::recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  if (count < 0) return is_temporary(errno);
  if (count == 0 || session_ == nullptr) return false;
  clear_errors();
  const int peeked = SSL_peek(session_.get(), &byte, 1);
  return peeked <= 0 && progress_of(peeked).status == Status::wants_read;
}

void Wire::wake_at(int bytes) const noexcept { ::setsockopt(socket_, SOL_SOCKET, SO_RCVLOWAT, &bytes, sizeof(bytes)); }

void Wire::interrupt() const noexcept { ::shutdown(socket_, SHUT_RDWR); }

}  // namespace pintle::http
