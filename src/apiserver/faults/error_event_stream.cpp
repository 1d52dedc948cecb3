// SPDX-License-Identifier: Apache-2.0
#include "error_event_stream.hpp"

#include <utility>

#include "../handlers/watch_stream.hpp"

namespace pintle::apiserver {

ErrorEventStream::ErrorEventStream(std::unique_ptr<http::BodyStream> watch, const ErrorEvent& event, bool is_protobuf)
    : watch_(std::move(watch)),
      last_(error_event({.code = event.status, .reason = event.reason, .message = "a fault of the plan"}, is_protobuf)),
      left_(event.after_events) {}

http::BodyStream::State ErrorEventStream::read(std::string& out) {
  std::string piece;
  const State state = left_ == 0 ? State::more : watch_->read(piece);
  std::size_t passed = 0;
  while (left_ != 0 && passed < piece.size()) left_ -= ends_.take(piece[passed++]) ? 1 : 0;
  out.append(piece, 0, passed);
  if (left_ != 0) return state;
  out += last_;
  return State::ended;
}

}  // namespace pintle::apiserver
