// SPDX-License-Identifier: Apache-2.0
// Connection: a connection of a Server, from its first byte to its last. Only server.cpp includes this file, because
// Asio and Beast are slow to compile.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>

#include <pintle/http/server.hpp>

#include "blocking_pool.hpp"
#include "deadline.hpp"
#include "http/response_head.hpp"
#include "peer.hpp"
#include "peer_certificate.hpp"

namespace pintle::http {

// Reads a request, calls the handler, writes the response, and repeats. The object exists while an operation is in
// progress, and closing the socket ends all operations. `Stream` is a socket or a TLS stream.
template <class Stream>
class Connection final : public Peer, public std::enable_shared_from_this<Connection<Stream>> {
 public:
  template <class... Arguments>
  Connection(Connections& connections, std::uint64_t id, std::string peer_address, Arguments&&... arguments)
      : connections_(connections),
        id_(id),
        peer_address_(std::move(peer_address)),
        stream_(std::forward<Arguments>(arguments)...),
        deadline_(stream_.get_executor(), connections.executor),
        stream_deadline_(stream_.get_executor(), connections.executor),
        hold_timer_(stream_.get_executor()) {}
  ~Connection() override = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void begin() override {
    deadline_.start(this->weak_from_this(), [this] { close(); });
    stream_deadline_.start(this->weak_from_this(), [this] { pump(); });
    expect_progress();
    if constexpr (is_tls) {
      stream_.async_handshake(
          asio::ssl::stream_base::server, [self = this->shared_from_this()](const error_code& error) {
            if (!error) {
              self->subject_ = subject_of_peer(self->stream_.native_handle());
              return self->read_request();
            }
            self->connections_.options.log.debug("TLS handshake failed", {{"error", error.message()}});
            self->close();
          });
    } else {
      read_request();
    }
  }

  void stop() override {
    is_stopping_ = true;
    keeps_alive_ = false;
    if (is_awaiting_ || is_writing_ || is_lingering_ || later_ || is_receiving()) return;
    if (body_stream_ != nullptr) {
      end_stream();
    } else {
      close();
    }
  }

  [[nodiscard]] bool has_request() const override { return is_awaiting_ || is_writing_ || body_stream_ != nullptr; }

  void close() override {
    error_code ignored;
    // Reset the connection: otherwise the peer would take its end for the end of the body.
    if (body_stream_ != nullptr && !can_chunk_)
      stream_.lowest_layer().set_option(asio::socket_base::linger(true, 0), ignored);
    stream_.lowest_layer().close(ignored);
    hold_timer_.cancel();
    body_stream_.reset();
    deadline_.whenever();
    stream_deadline_.whenever();
    connections_.ended(id_);
  }

 private:
  static constexpr bool is_tls = !std::is_same_v<Stream, Tcp::socket>;
  static constexpr std::size_t small_body = std::size_t{16} << 10U;  // written together with its head
  static constexpr std::size_t slice_size = std::size_t{256}
                                            << 10U;  // the peer must read this much within the idle timeout
  static constexpr std::size_t kept_capacity = std::size_t{4} << 10U;  // of a buffer of an idle connection

  using Parser = beast::http::request_parser<beast::http::string_body>;

  // Whether a part of a request has arrived. A client may not repeat such a request, which may have been carried out.
  [[nodiscard]] bool is_receiving() const {
    if (!parser_) return false;
    error_code ignored;
    return parser_->got_some() || stream_.lowest_layer().available(ignored) > 0;
  }

  // Swaps, because an assignment would keep the memory.
  static void put_back(std::string& text) { std::string().swap(text); }

  void expect_progress() { deadline_.within(connections_.options.idle_timeout); }

  // Writes all of `buffer`, which must stay valid, and then calls `next`.
  void write(std::string_view buffer, void (Connection::*next)()) {
    is_writing_ = true;
    expect_progress();
    asio::async_write(stream_, asio::buffer(buffer),
                      [self = this->shared_from_this(), next](const error_code& error, std::size_t) {
                        self->is_writing_ = false;
                        if (error) return self->close();
                        (*self.*next)();
                      });
  }

  // --- a request ---

  void next_request() {
    expect_progress();
    wants_request_ = is_probing_;
    if (!is_probing_) read_request();
  }

  void read_request() {
    if (buffer_.size() == 0 && buffer_.capacity() > kept_capacity) buffer_ = {};
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(connections_.options.max_head_size));
    parser_->body_limit(connections_.options.max_body_size);
    if (const error_code error = parse_buffer(); error || parser_->is_header_done()) return on_request_head(error);
    beast::http::async_read_header(
        stream_, buffer_, *parser_,
        [self = this->shared_from_this()](const error_code& error, std::size_t) { self->on_request_head(error); });
  }

  // Parses the next part of the request that has arrived already, which saves a turn of the event loop.
  error_code parse_buffer() {
    error_code error;
    if (buffer_.size() == 0) return error;
    buffer_.consume(parser_->put(buffer_.data(), error));
    return error == beast::http::error::need_more ? error_code() : error;
  }

  void on_request_head(const error_code& error) {
    if (error) return refuse(refusal_of(error, connections_.options));
    const bool expects_continue = beast::iequals(parser_->get()[beast::http::field::expect], "100-continue");
    if (parser_->is_done() || !expects_continue) return read_request_body();
    out_ = "HTTP/1.1 100 Continue\r\n\r\n";
    write(out_, &Connection::read_request_body);
  }

  void read_request_body() {
    if (parser_->is_done()) return on_request();
    if (const error_code error = parse_buffer()) return refuse(refusal_of(error, connections_.options));
    if (parser_->is_done()) return on_request();
    expect_progress();
    beast::http::async_read_some(stream_, buffer_, *parser_,
                                 [self = this->shared_from_this()](const error_code& error, std::size_t) {
                                   if (error) return self->refuse(refusal_of(error, self->connections_.options));
                                   self->read_request_body();
                                 });
  }

  void on_request() {
    auto message = parser_->release();
    parser_.reset();
    if (const Refusal error_response = refusal_of(message); error_response.status != 0) return refuse(error_response);
    keeps_alive_ = message.keep_alive() && !is_stopping_;
    can_chunk_ = message.version() >= 11;
    is_head_ = message.method() == beast::http::verb::head;
    ++connections_.requests;
    Request request = to_request(std::move(message));
    request.peer = subject_;
    request.peer_address = peer_address_;
    take(connections_.handler.handle(request));
  }

  void take(Response response) {
    if (response.delayed.make_response) return hold(std::move(response.delayed));
    if (response.deferred) return await(std::move(response.deferred), std::move(response.flow));
    respond(std::move(response));
  }

  void hold(Response::Delayed delayed) {
    is_awaiting_ = true;
    deadline_.whenever();
    hold_timer_.expires_after(delayed.delay);
    hold_timer_.async_wait(
        [weak = this->weak_from_this(), make_response = std::move(delayed.make_response)](const error_code& error) {
          const auto self = weak.lock();
          if (!error && self != nullptr) self->on_awaited(make_response());
        });
  }

  // There is no limit on the time of `deferred`. Meanwhile, nothing is read from the peer.
  void await(std::function<Response()> deferred, Response::Flow flow) {
    is_awaiting_ = true;
    deadline_.whenever();
    const auto respond = [weak = this->weak_from_this(), executor = stream_.get_executor()](Response response) {
      asio::post(executor, [weak, response = std::move(response)]() mutable {
        if (const auto self = weak.lock()) self->on_awaited(std::move(response));
      });
    };
    if (flow.name.empty()) flow.name = peer_address_;
    const bool runs =
        connections_.run_blocking({.run =
                                       [weak = this->weak_from_this(), respond, deferred = std::move(deferred)] {
                                         if (!weak.expired()) respond(deferred());
                                       },
                                   .refuse = [respond] { respond(too_busy()); },
                                   .flow = std::move(flow.name),
                                   .high_priority = flow.high_priority});
    if (!runs) on_awaited(too_busy());
  }

  void on_awaited(Response response) {
    is_awaiting_ = false;
    keeps_alive_ = keeps_alive_ && !is_stopping_;
    take(std::move(response));
  }

  // Responds instead of the handler and closes the connection, because the start of the next request is unknown.
  void refuse(const Refusal& error_response) {
    if (error_response.status == 0) return close();
    const auto& make = connections_.options.error_response;
    keeps_alive_ = false;
    is_head_ = false;
    has_unread_input_ = true;
    respond(make ? make(error_response.status, error_response.message)
                 : Response{.status = error_response.status,
                            .headers = {{"Content-Type", "text/plain; charset=utf-8"}},
                            .body = error_response.message + "\n"});
  }

  // --- its response ---

  void respond(Response response) {
    if (response.status == 0) return close();
    if (response.stream != nullptr && response.stream->is_created_later()) return begin_later(std::move(response));
    const bool has_body = !is_head_ && response.status >= 200 && response.status != 204 && response.status != 304;
    keeps_alive_ = keeps_alive_ && !connections_.is_draining;
    Framed framed{.length = response.body.size(), .keep_alive = keeps_alive_};
    if (response.stream != nullptr) {
      framed.framing = can_chunk_ ? Framing::chunked : Framing::until_close;
      framed.keep_alive = keeps_alive_ = keeps_alive_ && can_chunk_;
    } else if (!has_body && !is_head_) {
      framed.framing = Framing::none;
    }
    out_.clear();
    append_head(out_, response, framed, connections_.executor.wall_now());
    if (has_body && response.stream != nullptr) return begin_stream(std::move(response.stream));
    body_ = has_body ? std::move(response.body) : std::string();
    if (body_.size() <= small_body) out_ += std::exchange(body_, {});
    rest_ = body_;
    write(out_, &Connection::write_slice);
  }

  void write_slice() {
    if (rest_.empty()) return end_response();
    const std::string_view slice = rest_.substr(0, slice_size);
    rest_.remove_prefix(slice.size());
    write(slice, &Connection::write_slice);
  }

  void end_response() {
    put_back(body_);
    out_.clear();
    if (out_.capacity() > kept_capacity) put_back(out_);
    if (keeps_alive_) return next_request();
    if (has_unread_input_) return linger();
    hang_up();
  }

  // --- a stream ---

  void begin_stream(std::unique_ptr<BodyStream> stream) {
    read_on_wake(std::move(stream));
    pump();
  }

  void read_on_wake(std::unique_ptr<BodyStream> stream) {
    body_stream_ = std::move(stream);
    has_probed_ = false;
    woken_ = std::make_shared<std::atomic<bool>>(false);
    body_stream_->on_ready([weak = this->weak_from_this(), woken = woken_, executor = stream_.get_executor()] {
      if (woken->exchange(true)) return;
      asio::post(executor, [weak] {
        if (const auto self = weak.lock()) self->pump();
      });
    });
  }

  // Reads the stream and writes the available data. Does nothing during a write, because the end of the write reads the
  // stream again.
  void pump() {
    if (body_stream_ == nullptr || is_writing_) return;
    *woken_ = false;  // before the read, so that a wake during the read is not lost
    if (later_) return pump_later();
    const std::size_t chunk = can_chunk_ ? begin_chunk(out_) : 0;
    stream_state_ = body_stream_->read(out_);
    if (can_chunk_) end_chunk(out_, chunk);
    if (can_chunk_ && stream_state_ == BodyStream::State::ended) out_ += last_chunk;
    if (!out_.empty()) return write(out_, &Connection::on_pumped);
    if (stream_state_ != BodyStream::State::more) return on_pumped();
    asio::post(stream_.get_executor(), [self = this->shared_from_this()] { self->pump(); });
  }

  void on_pumped() {
    out_.clear();
    if (stream_state_ == BodyStream::State::broken) return close();
    if (body_stream_ == nullptr || stream_state_ == BodyStream::State::ended) {
      body_stream_.reset();
      return end_response();
    }
    const bool has_more = stream_state_ == BodyStream::State::more;
    if (is_stopping_ && !(has_more && body_stream_->is_document())) return end_stream();
    if (has_more) return pump();
    if (out_.capacity() > kept_capacity) put_back(out_);
    wait_for_stream();
  }

  void wait_for_stream() {
    if (!std::exchange(has_probed_, true)) probe();
    deadline_.whenever();
    stream_deadline_.until(body_stream_->next_deadline());
    // The stream was woken during the write, when the posted pump() did nothing.
    if (*woken_) asio::post(stream_.get_executor(), [self = this->shared_from_this()] { self->pump(); });
  }

  // --- a body that is created later ---

  void begin_later(Response response) {
    auto stream = std::move(response.stream);
    later_ = std::move(response);
    read_on_wake(std::move(stream));
    pump();
  }

  void pump_later() {
    switch (body_stream_->read(later_->body)) {
      case BodyStream::State::broken: return close();
      case BodyStream::State::waiting: return wait_for_stream();
      case BodyStream::State::more:
        return asio::post(stream_.get_executor(), [self = this->shared_from_this()] { self->pump(); });
      case BodyStream::State::ended: break;
    }
    body_stream_.reset();
    stream_deadline_.whenever();
    respond(*std::exchange(later_, std::nullopt));
  }

  // --- the wait for a stream ---

  void end_stream() {
    if (body_stream_->is_document()) return close();
    body_stream_.reset();
    out_ = can_chunk_ ? last_chunk : "";
    write(out_, &Connection::end_response);
  }

  // Detects that the peer has closed the connection. Starts only when there is nothing to write, because a peer may
  // close its own side and still read. A received byte belongs to the next request.
  void probe() {
    is_probing_ = true;
    // Other streams may wait for a long time, so their connections keep no buffer for the next request meanwhile.
    stream_.async_read_some(
        later_ ? buffer_.prepare(kept_capacity) : asio::buffer(probe_),
        [self = this->shared_from_this(), is_direct = later_.has_value()](const error_code& error, std::size_t size) {
          self->is_probing_ = false;
          if (error) return self->close();
          if (!is_direct) asio::buffer_copy(self->buffer_.prepare(size), asio::buffer(self->probe_));
          self->buffer_.commit(size);
          if (std::exchange(self->wants_request_, false)) self->read_request();
        });
  }

  // --- the end ---

  // Reads the rest of the input before closing. Otherwise the system would reset the connection, and a peer that has
  // not read the response yet would lose it.
  void linger() {
    is_lingering_ = true;
    error_code ignored;
    if constexpr (!is_tls) stream_.shutdown(Tcp::socket::shutdown_send, ignored);
    deadline_.within(connections_.options.stop_timeout);
    discard();
  }

  void discard() {
    buffer_.clear();
    stream_.async_read_some(buffer_.prepare(kept_capacity),
                            [self = this->shared_from_this()](const error_code& error, std::size_t) {
                              if (error) return self->close();
                              self->discard();
                            });
  }

  // Notifies a TLS peer, so that it can distinguish the end from a broken connection. Does not wait for the
  // notification of the peer.
  void hang_up() {
    if constexpr (is_tls) stream_.async_shutdown([self = this->shared_from_this()](const error_code&) {});
    close();
  }

  Connections& connections_;
  const std::uint64_t id_;
  const std::string peer_address_;
  Stream stream_;
  std::shared_ptr<const CertificateSubject> subject_;  // of the certificate of the peer
  Deadline deadline_;
  beast::flat_buffer buffer_;
  std::optional<Parser> parser_;

  bool keeps_alive_ = false;
  bool can_chunk_ = true;
  bool is_head_ = false;
  bool is_awaiting_ = false;
  bool is_writing_ = false;
  bool is_stopping_ = false;
  bool is_lingering_ = false;
  bool has_unread_input_ = false;

  std::string out_;        // head, small body, chunk
  std::string body_;       // a large body
  std::string_view rest_;  // the unwritten part of body_

  std::unique_ptr<BodyStream> body_stream_;
  std::optional<Response> later_;  // the head and the body of a stream that is created later
  BodyStream::State stream_state_ = BodyStream::State::more;
  std::shared_ptr<std::atomic<bool>> woken_;
  Deadline stream_deadline_;       // at which the stream is read without a wake
  asio::steady_timer hold_timer_;  // of a delayed response
  std::array<char, 1> probe_{};
  bool has_probed_ = false;
  bool is_probing_ = false;
  bool wants_request_ = false;
};

}  // namespace pintle::http
