// SPDX-License-Identifier: Apache-2.0
// ResponseParser: parses one HTTP response that arrives in pieces.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include <pintle/http/message.hpp>

namespace pintle::http {

// Skips interim responses and trailers. Thread-safety: none.
class ResponseParser {
 public:
  // Receives the parts of the response, with views that are valid during the call.
  class Sink {
   public:
    virtual ~Sink() = default;
    virtual void on_head(const ResponseHead& head) = 0;
    virtual void on_body(std::string_view chunk) = 0;
  };

  enum class State { incomplete, complete, malformed };

  // `has_body` is false for the response to a HEAD request. `sink` must outlive the parser.
  ResponseParser(bool has_body, Sink& sink);
  ~ResponseParser();
  ResponseParser(const ResponseParser&) = delete;
  ResponseParser& operator=(const ResponseParser&) = delete;

  State add(std::string_view bytes);
  // The peer has closed the connection. Returns complete if that is how the body ends.
  State end();

  // Whether any byte has arrived.
  [[nodiscard]] bool has_begun() const noexcept { return has_begun_; }
  // After the response is complete: whether the connection can carry another request.
  [[nodiscard]] bool keeps_alive() const;

 private:
  class Message;
  [[nodiscard]] std::size_t put(std::string_view bytes);
  void begin_message();

  const bool has_body_;
  Sink& sink_;
  std::unique_ptr<Message> message_;
  std::string rest_;  // the begin of a part that is not complete yet
  State state_ = State::incomplete;
  bool has_begun_ = false;
  bool has_excess_ = false;  // bytes after the end of the response
};

}  // namespace pintle::http
