// The requests of an informer, and the responses to them.
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <utility>

#include "informer_core.hpp"

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

// The common part of both exchanges: reports each exchange to the client, and keeps the body of an error response for
// its Status.
class Informer::Core::Exchange : public http::ExchangeHandler {
 public:
  Exchange(std::shared_ptr<Core> core, const http::Request& request)
      : core_(std::move(core)), request_(request), begun_(core_->now()) {}

  void on_head(const http::ResponseHead& head) override {
    head_ = head;
    record_exchange();
  }

 protected:
  [[nodiscard]] bool is_success() const { return head_.status == 200; }
  void keep(std::string_view chunk, std::size_t limit) {
    body_ += chunk.substr(0, limit - std::min(limit, body_.size()));
  }
  // Returns the result of the exchange for the reflector. Afterwards stop() may return, and the client and its
  // transport may be destroyed.
  [[nodiscard]] Result<void> ended(Result<void> end) {
    core_->exchange_.reset();
    if (head_.status == 0) record_exchange();
    core_->end_guard_.reset();
    if (end && !is_success()) return fail(error_from_response(head_.status, head_.headers, body_));
    return end;
  }

  const std::shared_ptr<Core> core_;
  std::string body_;

 private:
  void record_exchange() { core_->client_.record_exchange(request_, head_, core_->now() - begun_); }

  const http::Request request_;
  const Instant begun_;
  http::ResponseHead head_{.status = 0};
};

class Informer::Core::ListExchange final : public Exchange {
 public:
  using Exchange::Exchange;

  void on_body(std::string_view chunk) override {
    if (is_success()) {
      if (room_for_ < chunk.size()) {
        make_room();
        room_for_ = std::size_t{192} << 10U;
      }
      room_for_ -= std::min(room_for_, chunk.size());
      core_->reflector_.on_list_bytes(chunk);
    } else {
      keep(chunk, max_status_size);
    }
  }
  void on_end(Result<void> end) override {
    const Instant now = core_->now();
    core_->carry_out(core_->reflector_.on_list_end(ended(std::move(end)), now));
  }

 private:
  std::size_t room_for_ = 0;  // bytes of text until the next make_room()
};

class Informer::Core::WatchExchange final : public Exchange {
 public:
  using Exchange::Exchange;

  void on_head(const http::ResponseHead& head) override {
    Exchange::on_head(head);
    if (is_success()) core_->logged_refusals_.erase("watch");
    core_->reflector_.on_watch_open(core_->now());
  }
  void on_body(std::string_view chunk) override {
    if (!is_success()) {
      keep(chunk, max_status_size);
      return;
    }
    core_->carry_out(core_->reflector_.on_watch_bytes(chunk));
    core_->own_writes.advance_to(core_->reflector_.resource_version());  // a bookmark may have raised it
    if (core_->reflector_.should_end_watch() && core_->exchange_) core_->transport_.cancel(*core_->exchange_);
  }
  void on_end(Result<void> end) override {
    const Instant now = core_->now();
    Reflector::Actions actions = core_->reflector_.on_watch_end(ended(std::move(end)), now);
    core_->notify_watch_end(actions);
    core_->carry_out(std::move(actions));
  }
};

void Informer::Core::operator()(StartList list) {
  verb_ = "list";
  http::Request request =
      client_.list_request(options.resource, {.namespace_ = options.namespace_,
                                              .label_selector = options.label_selector,
                                              .field_selector = options.field_selector,
                                              .resource_version = std::move(list.resource_version),
                                              .resource_version_match = std::move(list.resource_version_match),
                                              .limit = list.limit,
                                              .continue_ = std::move(list.continue_),
                                              .metadata_only = options.reflector.metadata_only});
  auto exchange = std::make_shared<ListExchange>(shared_from_this(), request);
  exchange_ = transport_.start(std::move(request), std::move(exchange));
}

void Informer::Core::operator()(StartWatch watch) {
  verb_ = "watch";
  http::Request request =
      client_.watch_request(options.resource, {.namespace_ = options.namespace_,
                                               .label_selector = options.label_selector,
                                               .field_selector = options.field_selector,
                                               .resource_version = std::move(watch.resource_version),
                                               .timeout = watch.timeout,
                                               .metadata_only = options.reflector.metadata_only,
                                               .send_initial_events = watch.send_initial_events});
  request.timeout = Duration::zero();
  request.idle_timeout = options.watch_idle_timeout;
  auto exchange = std::make_shared<WatchExchange>(shared_from_this(), request);
  exchange_ = transport_.start(std::move(request), std::move(exchange));
}

}  // namespace pintle
