// SPDX-License-Identifier: Apache-2.0
// Informer::Core: the implementation of Informer.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <pintle/base/mutex.hpp>
#include <pintle/cache/informer.hpp>
#include <pintle/client/write_observer.hpp>
#include <pintle/http/transport.hpp>

#include "own_versions.hpp"
#include "own_writes.hpp"
#include "replacement.hpp"
#include "response_reader.hpp"
#include "watched_part.hpp"

namespace pintle {

// Runs on the I/O thread. The state that other threads read is behind a lock; their writes arrive through
// WriteObserver. Exchanges and timers in flight keep the core alive.
class [[gnu::visibility("hidden")]] Informer::Core final : public WriteObserver,
                                                           public std::enable_shared_from_this<Core> {
 public:
  Core(Client& client, Dispatcher& dispatcher, Log log, InformerOptions options);

  struct Handlers {
    std::vector<NewHandler> changes{};
    std::vector<std::function<void(const Error*)>> watch_ends{};
    std::vector<std::function<void(const Write&)>> writes{};
    std::vector<std::function<void()>> rewinds{};
    std::vector<std::function<void()>> not_found{};
    std::vector<std::function<void()>> first_result{};
    std::vector<std::function<void()>> synced{};
  };
  void start(Handlers handlers);
  // Returns false before start().
  bool has_started() const noexcept { return started_; }
  void add_late_handler(NewHandler handler);
  Result<void> add_index(const Index& index);
  void begin(Resource resource);
  void expect();
  void withdraw() { end_lists_because(Absence::not_served); }
  void suspend();
  void stop();
  Result<void> wait_for_sync(Instant deadline, const std::stop_token& stop, bool or_absent);
  bool has_synced() const {
    const MutexLock lock(mutex_);
    return synced_;
  }

  bool is_readable() const noexcept { return readable_.load(std::memory_order_acquire); }
  InformerStatus status() const;
  std::string sync_status() const;
  std::string title() const;

  std::optional<Result<Object>> read(std::string_view body) override { return response_reader_.read(body); }
  Object cached(const ObjectKey& key) const override { return store.get(key); }
  void on_written(const Object& object, std::optional<std::string_view> from, bool made_it,
                  const Object& before) override;
  void on_removed(const ObjectKey& key, std::string_view uid, const Object& before) override {
    own_writes.removed(key, uid);
    notify_write({.uid = uid, .before = before});
  }
  void on_pending_create() override { own_writes.begin_pending_create(); }
  void on_rewind() override { list_again(); }

  const InformerOptions options;
  Store store;
  OwnWrites own_writes;
  OwnVersions own_versions;

 private:
  class Exchange;
  class ListExchange;
  class WatchExchange;

  Instant now() const { return transport_.executor().now(); }
  void carry_out(Reflector::Actions actions);
  // Why there is no list and no watch.
  enum class Absence { none, not_served, not_needed };
  void end_absence();
  void start_lists(Resource resource);
  void end_lists_because(Absence why);
  void end_lists(Absence why);
  void set_absent(Absence why);
  std::string missing() const PINTLE_REQUIRES(mutex_);  // without the last error
  std::string warning() const PINTLE_REQUIRES(mutex_);
  std::string rule() const;
  InformerState state() const PINTLE_REQUIRES(mutex_);
  void heard();
  void arrived();
  void permitted();
  void count(const Object& before, const Object& now);
  [[nodiscard]] bool continue_replacement();
  void continue_replacement_later();
  void prepare_replacement();
  void abandon_replacement();
  void end_replacement();
  void limit_stream();
  void note_list_request(std::string_view version);
  void note_result();
  void report_first_result() const;
  void operator()(StartList list);
  void operator()(StartWatch watch);
  void operator()(StartTimer timer);
  void operator()(Replace replace);
  void operator()(Put put);
  void operator()(Erase erase);
  void operator()(Warning warning);
  void operator()(DroppedObjects dropped);
  void log_warning(const Error& error, const std::string& text);
  void list_again();
  void forget_versions();

  // The handlers of one lane, or one handler with a resync period.
  struct Feed {
    std::shared_ptr<Dispatcher::Subscription> subscription{};
    std::vector<std::shared_ptr<InformerHandler>> handlers{};
    Duration resync_period{};
    bool is_late = false;           // it receives the existing objects in parts; changes behind `at` are not for it
    std::optional<ObjectKey> at{};  // the last object of the parts that it has received
    std::optional<http::Transport::TimerId> timer{};
  };
  void open_feeds();
  void add_feeds(std::vector<NewHandler> handlers);
  void add_late_feeds(const std::vector<NewHandler>& handlers);
  [[nodiscard]] static bool is_for(const Feed& feed, const Change& change);
  void deliver(Change change);
  void deliver(std::vector<Change> changes);
  void continue_feed(Feed& feed, void (Core::*next)(Feed&));
  void feed_existing(Feed& feed);
  void resync(Feed& feed);
  [[nodiscard]] bool push_part(Feed& feed, ChangeCause cause);
  void start_resync_timer(Feed& feed);
  void all_received(Feed& feed);
  [[nodiscard]] std::vector<std::shared_ptr<Dispatcher::Subscription>> subscriptions() const;

  void mark_synced_after_handlers();
  void notify_watch_end(const Reflector::Actions& actions) const;
  void notify_write(const Write& write) const {
    for (const auto& handler : handlers_.writes) handler(write);
  }

  Client& client_;
  http::Transport& transport_;
  Dispatcher& dispatcher_;
  const Log log_;
  const WatchedPart watched_;
  InformerMetrics metrics_;
  Resource resource_;  // to list and watch; plural is empty while the server does not serve the kind
  Reflector reflector_;
  ResponseReader response_reader_;
  std::vector<std::unique_ptr<Feed>> feeds_;
  std::vector<NewHandler> late_handlers_;  // were added while a list is applied, and receive changes after it
  bool has_feeds_ = false;
  std::atomic<bool> started_ = false;
  Handlers handlers_;
  std::string verb_ = "list";                           // of the last request
  std::map<std::string, std::string> logged_refusals_;  // logged refusals by verb, until that verb succeeds
  std::optional<http::Transport::ExchangeId> exchange_;
  std::weak_ptr<Exchange> current_;  // the handler of exchange_
  std::shared_ptr<void> end_guard_;  // its destruction, at the end of the exchange, lets stop() return
  std::optional<http::Transport::TimerId> timer_;
  std::optional<http::Transport::TimerId> stream_timer_;  // of a streaming list
  std::optional<OwnWrites::Moment> requested_newest_;     // when the last list was requested, if of the newest state
  std::unique_ptr<Replacement> replacing_;                // while a list is applied
  bool is_preparing_ = true;                              // its changes are not known yet
  Reflector::Actions postponed_;                          // until the list is applied
  bool stopped_ = false;
  bool listed_ = false;
  bool has_first_result_ = false;  // since the last beginning
  std::atomic<unsigned> beginning_ =
      0;  // number of times that the server began to serve the kind; set by the I/O thread
  std::atomic<bool> readable_ = false;
  std::atomic<std::size_t> arrived_ = 0;  // objects of an incomplete list
  std::atomic<std::size_t> bytes_ = 0;

  mutable Mutex mutex_;
  CondVar changed_;
  bool synced_ PINTLE_GUARDED_BY(mutex_) = false;
  bool stopping_ PINTLE_GUARDED_BY(mutex_) = false;
  bool ended_ PINTLE_GUARDED_BY(mutex_) = false;
  Absence absence_ PINTLE_GUARDED_BY(mutex_) = Absence::none;
  bool refused_ PINTLE_GUARDED_BY(mutex_) = false;  // the last request was unauthorized or forbidden
  std::optional<Instant> last_response_ PINTLE_GUARDED_BY(mutex_);
  std::string last_error_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle
