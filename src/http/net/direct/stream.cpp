// SPDX-License-Identifier: Apache-2.0
#include "stream.hpp"

namespace pintle::http {

Result<void> Stream::begin(Connected connected) {
  if (auto allowed = exchange->before_send(); !allowed) return allowed;
  was_sent = true;
  awaited = 0;
  name_lookup_ = connected.name_lookup;
  trip_.emplace(std::move(connected.connection), text_, exchange->request().method != "HEAD",
                static_cast<ResponseParser::Sink&>(*this));
  return {};
}

bool Stream::may_begin_again() {
  return trip_->connection().was_used && !trip_->has_response() && may_repeat(exchange->request());
}

bool Stream::gathers(Instant now) {
  const bool did = pace_.gathers();
  const bool does = pace_.after_read(std::exchange(received_, 0), now);
  if (did != does) trip_->connection().wire.wake_at(does ? int{ReadPace::size} : 1);
  return does;
}

std::optional<ConnectionPool::Connection> Stream::release() {
  if (pace_.gathers()) trip_->connection().wire.wake_at(1);
  std::optional<ConnectionPool::Connection> connection;
  if (trip_ && trip_->can_be_reused()) connection = std::move(trip_->connection());
  trip_.reset();
  return connection;
}

Error Stream::error_of(RoundTrip::State state) {
  const Wire::Failure& failure = trip_->connection().wire.failure();
  const CURLcode broken = trip_->has_response() ? CURLE_RECV_ERROR : CURLE_GOT_NOTHING;
  return explain({.code = state == RoundTrip::State::malformed ? CURLE_WEIRD_SERVER_REPLY : broken,
                  .os_error = failure.os_error,
                  .detail = failure.detail,
                  .has_head = exchange->has_head()},
                 exchange->request());
}

void Stream::on_head(const ResponseHead& head) {
  ResponseHead complete = head;
  complete.name_lookup = name_lookup_;
  exchange->head(complete);
}

}  // namespace pintle::http
