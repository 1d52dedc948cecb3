// SPDX-License-Identifier: Apache-2.0
// Handler: the server side of an exchange. It turns a Request into a Response with a whole body or a stream.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include <pintle/base/annotations.hpp>
#include <pintle/http/message.hpp>

namespace pintle::http {

/// A body that is produced while it is read, for example a watch or a large list. One reader pulls the data, so a slow
/// peer needs no buffer: the stream keeps its own position and decides when the reader is too far behind. The stream is
/// destroyed when the peer disconnects.
class PINTLE_EXPORT BodyStream {
 public:
  enum class State {
    more,
    waiting,
    ended,
    broken,  ///< no more data, but the body is incomplete; the connection is closed, so that the peer detects this
  };

  virtual ~BodyStream() = default;
  /// Appends the available data: at most about 64 KiB, or one larger piece. Never blocks. One reader at a time.
  [[nodiscard]] virtual State read(std::string& out) = 0;
  /// Sets the function that a waiting stream calls when more data may be available. Set it once, before the first read.
  /// The function may be called from any thread, but never after the destructor of the stream has returned. A call does
  /// not guarantee that data is available.
  virtual void on_ready(std::function<void()> wake) = 0;
  /// The time at which a waiting stream must be read again even without a call of `wake`; Instant::max(): never.
  [[nodiscard]] virtual Instant next_deadline() const { return Instant::max(); }
  /// True if the body is one document that is useless unless it is complete. read() then never returns State::waiting,
  /// and the body is treated like Response::body. The exception is an injected silence (TruncateBody::How::silence of
  /// layer sim), after which read() returns State::waiting for ever. False if each line is complete in itself, so that
  /// the body can end after any line.
  [[nodiscard]] virtual bool is_document() const { return false; }
  /// True if the body is one document that is created while the peer waits, at the latest at next_deadline(): read()
  /// returns State::waiting and appends nothing until the whole document is available. The head is then sent together
  /// with the body and its length, and a server that stops lets the response complete.
  [[nodiscard]] virtual bool is_created_later() const { return false; }
};

/// Maximum number of requests in the queues of Response::deferred: one limit for all queues with Flow::high_priority,
/// and one for all other queues.
inline constexpr std::size_t max_queued_responses = 1024;

struct Response {
  int status = 200;  ///< 0: no response; the connection is closed
  Headers headers{};
  std::string body{};                    ///< the whole body
  std::unique_ptr<BodyStream> stream{};  ///< if set, replaces `body`
  /// If set, the members above are ignored, and this function creates the response on a thread that may block, for
  /// example to call a client. It must return in finite time, and its response must not set `deferred`. There are few
  /// such threads (ServerOptions::max_deferred). Requests wait for a thread in queues, one for each Flow::name, and the
  /// queues take turns. If there are several threads, the requests of one queue never occupy all of them, unless its
  /// name and the address of the peer are both empty. If max_queued_responses requests of the same priority are
  /// waiting, either the new request or the last request of the longest queue receives 503 with Retry-After. The new
  /// request is accepted only if its own queue, including the new request, is shorter than the longest queue.
  std::function<Response()> deferred{};
  struct Flow {
    std::string name{};          ///< empty: the address of the peer
    bool high_priority = false;  ///< the queue goes first; the other queues still get every fourth turn
  };
  Flow flow{};  ///< the queue in which `deferred` waits
  /// If `make_response` is set, the members above are ignored, and `make_response` creates the response. It is called
  /// after `delay` on the thread that calls handle(); no thread waits meanwhile. If the peer has disconnected by that
  /// time, `make_response` may or may not be called.
  struct Delayed {
    Duration delay{};
    std::function<Response()> make_response{};
  };
  Delayed delayed{};
};

/// Reads a stream that is a document into `body`, for code that calls a Handler directly. If the stream breaks or
/// returns State::waiting, the response has status 0. Does not change other streams.
PINTLE_EXPORT void read_full_body(Response& response);

/// Handles requests. handle() is called from any thread, also concurrently. It must not block for long; see
/// Response::deferred.
class PINTLE_EXPORT Handler {
 public:
  virtual ~Handler() = default;
  [[nodiscard]] virtual Response handle(const Request& request) = 0;
};

}  // namespace pintle::http
