// SPDX-License-Identifier: Apache-2.0
#include "round_trip.hpp"

namespace pintle::http {

// The response to a request that has just been sent is not there yet, so the socket is not read in vain.
RoundTrip::State RoundTrip::step(std::span<char> buffer) {
  bool has_sent_all = false;
  while (!unsent_.empty()) {
    if (const State state = send(); state != State::busy) return state;
    has_sent_all = unsent_.empty() && !has_failed_;
  }
  return has_sent_all && !connection_.wire.has_received() ? State::wants_read : receive(buffer);
}

// A server may respond and close the connection before it has read the whole request. So a failed write ends the
// request, and the response decides.
RoundTrip::State RoundTrip::send() {
  const Wire::Progress progress = connection_.wire.write(unsent_);
  switch (progress.status) {
    case Wire::Status::ok: unsent_.remove_prefix(progress.bytes); return State::busy;
    case Wire::Status::wants_read: return State::wants_read;
    case Wire::Status::wants_write: return State::wants_write;
    case Wire::Status::closed:
    case Wire::Status::failed: break;
  }
  unsent_ = {};
  has_failed_ = true;
  return State::busy;
}

RoundTrip::State RoundTrip::receive(std::span<char> buffer) {
  std::size_t filled = 0;
  Wire::Status status = Wire::Status::ok;
  while (filled < buffer.size()) {
    const Wire::Progress progress = connection_.wire.read(buffer.subspan(filled));
    status = progress.status;
    filled += progress.bytes;
    if (status == Wire::Status::ok && !connection_.wire.has_received()) status = Wire::Status::wants_read;
    if (status != Wire::Status::ok) break;
  }
  ResponseParser::State parsed = parser_.add({buffer.data(), filled});
  if (parsed == ResponseParser::State::incomplete && status == Wire::Status::closed) parsed = parser_.end();
  if (parsed == ResponseParser::State::complete) return State::complete;
  if (parsed == ResponseParser::State::malformed) return State::malformed;
  switch (status) {
    case Wire::Status::ok: return State::busy;
    case Wire::Status::wants_read: return State::wants_read;
    case Wire::Status::wants_write: return State::wants_write;
    default: return State::broken;
  }
}

}  // namespace pintle::http
