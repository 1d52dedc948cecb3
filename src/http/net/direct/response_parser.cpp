// SPDX-License-Identifier: Apache-2.0
#include "response_parser.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

namespace pintle::http {
namespace {

namespace beast = boost::beast;
using error_code = boost::system::error_code;

constexpr std::uint32_t max_head = std::uint32_t{256} << 10U;  // bytes

std::string_view view_of(beast::string_view text) { return {text.data(), text.size()}; }

}  // namespace

// One final or interim response.
class ResponseParser::Message final : public beast::http::basic_parser<false> {
 public:
  Message(bool has_body, Sink& sink) : sink_(sink) {
    eager(true);
    skip(!has_body);
    header_limit(max_head);
    body_limit(boost::none);
  }
  [[nodiscard]] bool is_interim() const noexcept { return head_.status < 200 && head_.status != 101; }

 private:
  void on_request_impl(beast::http::verb, beast::string_view, beast::string_view, int, error_code&) override {}
  void on_response_impl(int code, beast::string_view, int, error_code&) override { head_.status = code; }
  void on_field_impl(beast::http::field, beast::string_view name, beast::string_view value, error_code&) override {
    if (!has_head_) head_.headers.add(view_of(name), std::string(view_of(value)));
  }
  void on_header_impl(error_code&) override {
    has_head_ = true;
    if (!is_interim()) sink_.on_head(head_);
  }
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  std::size_t on_body_impl(beast::string_view body, error_code&) override {
    sink_.on_body(view_of(body));
    return body.size();
  }
  void on_chunk_header_impl(std::uint64_t, beast::string_view, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, beast::string_view body, error_code&) override {
    sink_.on_body(view_of(body));
    return body.size();
  }
  void on_finish_impl(error_code&) override {}

  Sink& sink_;
  ResponseHead head_;
  bool has_head_ = false;
};

ResponseParser::ResponseParser(bool has_body, Sink& sink) : has_body_(has_body), sink_(sink) { begin_message(); }

ResponseParser::~ResponseParser() = default;

void ResponseParser::begin_message() { message_ = std::make_unique<Message>(has_body_, sink_); }

// Beast requires each head, and each header of a chunk, in one piece. The begin of such a part is kept, and completed
// by as few bytes as possible, so that no body is copied.
ResponseParser::State ResponseParser::add(std::string_view bytes) {
  constexpr std::size_t step = 256;
  has_begun_ = has_begun_ || !bytes.empty();
  while (!bytes.empty() && state_ == State::incomplete) {
    if (rest_.empty()) {
      bytes.remove_prefix(put(bytes));
      if (state_ != State::incomplete) break;
      rest_ = bytes;
      return state_;
    }
    const std::size_t size = std::min(step, bytes.size());
    rest_.append(bytes.substr(0, size));
    bytes.remove_prefix(size);
    rest_.erase(0, put(rest_));
  }
  has_excess_ = has_excess_ || !bytes.empty() || (state_ == State::complete && !rest_.empty());
  return state_;
}

// Returns the number of bytes that were parsed.
std::size_t ResponseParser::put(std::string_view bytes) {
  std::size_t parsed = 0;
  while (parsed < bytes.size()) {
    error_code error;
    const std::size_t taken = message_->put(boost::asio::buffer(bytes.substr(parsed)), error);
    parsed += taken;
    if (error == beast::http::error::need_more || (taken == 0 && !error)) return parsed;
    if (error) {
      state_ = State::malformed;
      return parsed;
    }
    if (!message_->is_done()) continue;
    if (!message_->is_interim()) {
      state_ = State::complete;
      return parsed;
    }
    begin_message();
  }
  return parsed;
}

ResponseParser::State ResponseParser::end() {
  if (state_ != State::incomplete) return state_;
  error_code error;
  if (message_->is_header_done()) message_->put_eof(error);
  if (message_->is_header_done() && !error && message_->is_done()) state_ = State::complete;
  return state_;
}

bool ResponseParser::keeps_alive() const { return state_ == State::complete && !has_excess_ && message_->keep_alive(); }

}  // namespace pintle::http
