// SPDX-License-Identifier: Apache-2.0
// The requests of an informer, and the responses to them.
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <utility>

#include "informer_core.hpp"
#include "informer_exchange.hpp"

namespace pintle {

namespace {

constexpr std::size_t max_status_size = std::size_t{1} << 20U;  // bytes of an error response

// Documents are allocated one by one, and malloc would extend its heap page by page for them. Allocating and freeing
// one larger block makes malloc extend the heap once for many documents.
void make_room() {
#ifdef __GLIBC__
  void* volatile room = ::malloc(std::size_t{64} << 10U);
  ::free(room);
#endif
}

}  // namespace

void Informer::Core::Exchange::on_head(const http::ResponseHead& head) {
  if (detached_) return;
  head_ = head;
  record_exchange();
  on_response_head();
}

void Informer::Core::Exchange::on_body(std::string_view chunk) {
  if (detached_) return;
  if (is_success()) {
    on_chunk(chunk);
  } else {
    body_ += chunk.substr(0, max_status_size - std::min(max_status_size, body_.size()));
  }
}

// Once end_guard_ is reset, stop() may return, and the client and its transport may be destroyed.
void Informer::Core::Exchange::on_end(Result<void> end) {
  if (detached_) return;
  const Instant now = core_->now();
  core_->exchange_.reset();
  if (head_.status == 0) record_exchange();
  core_->end_guard_.reset();
  if (end && !is_success()) end = fail(error_from_response(head_.status, head_.headers, body_));
  on_response_end(std::move(end), now);
}

void Informer::Core::Exchange::record_exchange() {
  core_->client_.record_exchange(request_, head_, core_->now() - begun_);
}

class Informer::Core::ListExchange final : public Exchange {
 public:
  using Exchange::Exchange;

 private:
  void on_chunk(std::string_view chunk) override {
    if (room_for_ < chunk.size()) {
      make_room();
      room_for_ = std::size_t{192} << 10U;
    }
    room_for_ -= std::min(room_for_, chunk.size());
    core_->heard();
    core_->reflector_.on_list_bytes(chunk);
    core_->arrived();
  }
  void on_response_end(Result<void> end, Instant now) override {
    core_->carry_out(core_->reflector_.on_list_end(std::move(end), now));
  }

  std::size_t room_for_ = 0;  // bytes of text until the next make_room()
};

class Informer::Core::WatchExchange final : public Exchange {
 public:
  using Exchange::Exchange;

 private:
  void on_response_head() override {
    if (is_success()) {
      core_->logged_refusals_.erase("watch");
      core_->permitted();
      // Bookmarks show that a watch is alive; without them, only a new watch does.
      if (!core_->reflector_.has_seen_bookmark()) core_->heard();
    }
    core_->reflector_.on_watch_open(core_->now());
    if (is_success()) core_->limit_stream();
  }
  void on_chunk(std::string_view chunk) override {
    core_->heard();
    core_->carry_out(core_->reflector_.on_watch_bytes(chunk));
    core_->arrived();
    if (!core_->replacing_) {
      core_->own_writes.advance_to(core_->reflector_.resource_version());  // a bookmark may have raised it
    }
    if (core_->reflector_.should_end_watch() && core_->exchange_) core_->transport_.cancel(*core_->exchange_);
  }
  void on_response_end(Result<void> end, Instant now) override {
    Reflector::Actions actions = core_->reflector_.on_watch_end(std::move(end), now);
    core_->notify_watch_end(actions);
    core_->carry_out(std::move(actions));
  }
};

// Ends a streaming list that makes no progress. The timer of a complete one has no effect.
void Informer::Core::limit_stream() {
  const auto due = reflector_.stream_deadline();
  if (!due || stream_timer_) return;
  stream_timer_ = transport_.start_timer(*due, [self = shared_from_this()] {
    self->stream_timer_.reset();
    if (self->stopped_ || self->resource_.plural.empty()) return;
    self->reflector_.on_stream_pause(self->now());
    if (self->reflector_.should_end_watch() && self->exchange_) self->transport_.cancel(*self->exchange_);
    self->limit_stream();
  });
}

// A list without a version is of the newest state.
void Informer::Core::note_list_request(std::string_view version) {
  requested_newest_.reset();
  if (version.empty()) requested_newest_ = own_writes.now();
}

void Informer::Core::operator()(StartList list) {
  verb_ = "list";
  if (list.continue_.empty()) note_list_request(list.resource_version);
  http::Request request =
      client_.list_request(resource_, {.namespace_ = resource_.namespaced ? options.namespace_ : std::string(),
                                       .label_selector = options.label_selector,
                                       .field_selector = options.field_selector,
                                       .resource_version = std::move(list.resource_version),
                                       .resource_version_match = std::move(list.resource_version_match),
                                       .limit = list.limit,
                                       .continue_ = std::move(list.continue_),
                                       .metadata_only = options.reflector.metadata_only,
                                       .accepts_protobuf = reflector_.accepts_protobuf()});
  auto exchange = std::make_shared<ListExchange>(shared_from_this(), request);
  current_ = exchange;
  exchange_ = transport_.start(std::move(request), std::move(exchange));
}

void Informer::Core::operator()(StartWatch watch) {
  verb_ = "watch";
  if (watch.send_initial_events) note_list_request(watch.resource_version);
  http::Request request =
      client_.watch_request(resource_, {.namespace_ = resource_.namespaced ? options.namespace_ : std::string(),
                                        .label_selector = options.label_selector,
                                        .field_selector = options.field_selector,
                                        .resource_version = std::move(watch.resource_version),
                                        .timeout = watch.timeout,
                                        .metadata_only = options.reflector.metadata_only,
                                        .send_initial_events = watch.send_initial_events,
                                        .accepts_protobuf = reflector_.accepts_protobuf()});
  request.timeout = Duration::zero();
  request.idle_timeout = options.watch_idle_timeout;
  auto exchange = std::make_shared<WatchExchange>(shared_from_this(), request);
  current_ = exchange;
  exchange_ = transport_.start(std::move(request), std::move(exchange));
  // The version may have been contradicted while a list was applied.
  if (reflector_.should_end_watch()) transport_.cancel(*exchange_);
}

}  // namespace pintle
