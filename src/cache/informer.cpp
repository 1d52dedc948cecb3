#include <pintle/cache/informer.hpp>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>
#include <utility>

#include <pintle/base/mutex.hpp>
#include <pintle/base/random.hpp>
#include <pintle/base/stop.hpp>

#include "own_versions.hpp"
#include "own_writes.hpp"
#include "response_reader.hpp"
#include "watched_part.hpp"

namespace pintle {

// Runs on the I/O thread. The state that other threads read is behind a lock; their writes arrive through
// WriteObserver. Exchanges and timers in flight keep the core alive.
class [[gnu::visibility("hidden")]] Informer::Core final : public WriteObserver,
                                                           public std::enable_shared_from_this<Core> {
 public:
  Core(Client& client, Dispatcher& dispatcher, Log log, InformerOptions options);

  using WatchEndHandler = std::function<void(const Error*)>;
  using WriteHandler = std::function<void(const Write&)>;
  using RewindHandler = std::function<void()>;
  void start(std::vector<NewHandler> handlers, std::vector<WatchEndHandler> watch_end_handlers,
             std::vector<WriteHandler> write_handlers, std::vector<RewindHandler> rewind_handlers);
  // Returns false before start().
  bool has_started() const noexcept { return started_; }
  void add_late_handler(NewHandler handler);
  void stop();
  Result<void> wait_for_sync(Instant deadline, const std::stop_token& stop);
  bool has_synced() const {
    const MutexLock lock(mutex_);
    return synced_;
  }

  Result<void> add_index(const Index& index);
  std::string sync_status() const;
  std::string missing() const;  // without the last error
  std::string warning() const PINTLE_REQUIRES(mutex_);

  std::optional<Result<Object>> read(std::string_view body) override { return response_reader_.read(body); }
  Object cached(const ObjectKey& key) const override { return store.get(key); }
  void on_written(const Object& object, std::optional<std::string_view> from, bool made_it) override;
  void on_removed(const ObjectKey& key, std::string_view uid) override {
    own_writes.removed(key, uid);
    notify_write({.uid = uid});
  }
  void on_pending_create() override { own_writes.begin_pending_create(); }
  void on_rewind() override { list_again(); }

  const InformerOptions options;
  const InformerMetrics metrics;
  Store store;
  OwnWrites own_writes;
  OwnVersions own_versions;

 private:
  class Exchange;
  class ListExchange;
  class WatchExchange;

  Instant now() const { return transport_.executor().now(); }
  void carry_out(Reflector::Actions actions);
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
  void add_feeds(std::vector<NewHandler> handlers);
  [[nodiscard]] static bool is_for(const Feed& feed, const Change& change);
  void deliver(Change change);
  void deliver(std::vector<Change> changes);
  void feed_existing(Feed& feed);
  void resync(Feed& feed);
  [[nodiscard]] bool push_part(Feed& feed, ChangeCause cause);
  void start_resync_timer(Feed& feed);
  void all_received(Feed& feed);
  [[nodiscard]] std::vector<std::shared_ptr<Dispatcher::Subscription>> subscriptions() const;

  void mark_synced_after_handlers();
  void notify_watch_end(const Reflector::Actions& actions) const;
  void notify_write(const Write& write) const {
    for (const WriteHandler& handler : write_handlers_) handler(write);
  }

  Client& client_;
  http::Transport& transport_;
  Dispatcher& dispatcher_;
  const Log log_;
  const WatchedPart watched_;
  Reflector reflector_;
  ResponseReader response_reader_;
  std::vector<std::unique_ptr<Feed>> feeds_;
  std::atomic<bool> started_ = false;
  std::vector<WatchEndHandler> watch_end_handlers_;
  std::vector<WriteHandler> write_handlers_;
  std::vector<RewindHandler> rewind_handlers_;
  std::string verb_ = "list";                           // of the last request
  std::map<std::string, std::string> logged_refusals_;  // logged refusals by verb, until that verb succeeds
  std::optional<http::Transport::ExchangeId> exchange_;
  std::shared_ptr<void> end_guard_;  // its destruction, at the end of the exchange, lets stop() return
  std::optional<http::Transport::TimerId> timer_;
  bool stopped_ = false;
  bool listed_ = false;

  mutable Mutex mutex_;
  CondVar changed_;
  bool synced_ PINTLE_GUARDED_BY(mutex_) = false;
  bool stopping_ PINTLE_GUARDED_BY(mutex_) = false;
  bool ended_ PINTLE_GUARDED_BY(mutex_) = false;
  std::string last_error_ PINTLE_GUARDED_BY(mutex_);
};

namespace {

constexpr std::size_t max_part = 500;  // objects that one handler receives in one step of the I/O thread
constexpr Duration min_resync_period = std::chrono::seconds(1);
constexpr std::size_t max_status_size = std::size_t{1} << 20U;  // bytes of an error response

// Documents are allocated one by one, and malloc would extend its heap page by page for them. Allocating and freeing
// one larger block makes malloc extend the heap once for many documents.
void make_room() {
#ifdef __GLIBC__
  void* volatile room = ::malloc(std::size_t{64} << 10U);
  ::free(room);
#endif
}

// A list needs much memory for a short time, in pieces between the objects that remain. malloc does not return such
// pieces to the system by itself.
void give_memory_back() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

InformerOptions completed(InformerOptions options, Executor& executor) {
  options.reflector.kind = options.resource.kind;
  options.reflector.random = [&executor] { return Random::to_unit(executor.random()); };
  // The projection also applies to the responses to writes, and to a server that sends whole objects.
  if (options.reflector.metadata_only)
    options.reflector.projection.projection.keep = {"/apiVersion", "/kind", "/metadata"};
  return options;
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

Informer::Core::Core(Client& client, Dispatcher& dispatcher, Log log, InformerOptions given)
    : options(completed(std::move(given), client.transport().executor())),
      metrics(options.metrics == nullptr ? InformerMetrics()
                                         : InformerMetrics(*options.metrics, options.name, options.resource)),
      store(client.transport().executor()),
      own_writes(client.transport().executor(), store, metrics.provisional()),
      own_versions(client.transport().executor()),
      client_(client),
      transport_(client.transport()),
      dispatcher_(dispatcher),
      log_(log.with({{"resource", options.resource.to_string()}})),
      watched_(options.namespace_, options.label_selector, options.field_selector),
      reflector_(options.reflector),
      response_reader_(client.transport().executor(), options.reflector),
      mutex_(transport_.executor()),
      changed_(transport_.executor()) {}

void Informer::Core::start(std::vector<NewHandler> handlers, std::vector<WatchEndHandler> watch_end_handlers,
                           std::vector<WriteHandler> write_handlers, std::vector<RewindHandler> rewind_handlers) {
  rewind_handlers_ = std::move(rewind_handlers);
  watch_end_handlers_ = std::move(watch_end_handlers);
  write_handlers_ = std::move(write_handlers);
  add_feeds(std::move(handlers));
  started_ = true;
  if (auto usable = validate_projection(options.reflector.projection.projection); !usable) {
    return (*this)(Warning{std::move(usable.error())});  // wait_for_sync() reports it
  }
  client_.add_write_observer(options.resource.kind, weak_from_this());
  transport_.post([self = shared_from_this()] { self->carry_out(self->reflector_.start()); });
}

void Informer::Core::stop() {
  // Sets ended_ on destruction: when the last exchange has ended, because its end still uses the client, or when a
  // transport that has no I/O thread any more drops the function below.
  struct Ended {
    explicit Ended(Core& of) : core(of) {}
    Ended(const Ended&) = delete;
    Ended& operator=(const Ended&) = delete;
    ~Ended() {
      const MutexLock lock(core.mutex_);
      core.ended_ = true;
      core.changed_.notify_all();
    }
    Core& core;
  };
  // Posts the function only once, because a second one could run after the client was destroyed.
  const bool is_first = [this] {
    const MutexLock lock(mutex_);
    return !std::exchange(stopping_, true);
  }();
  if (is_first) {
    transport_.post([self = shared_from_this(), ended = std::make_shared<Ended>(*this)] {
      self->stopped_ = true;
      if (self->exchange_) {
        self->end_guard_ = ended;
        self->transport_.cancel(*self->exchange_);
      }
      if (self->timer_) self->transport_.cancel_timer(*self->timer_);
      for (const auto& feed : self->feeds_) {
        if (feed->timer) self->transport_.cancel_timer(*feed->timer);
      }
    });
  }
  const MutexLock lock(mutex_);
  while (!ended_) changed_.wait(mutex_);
}

void Informer::Core::carry_out(Reflector::Actions actions) {
  for (ReflectorAction& action : actions) {
    if (stopped_) return;
    std::visit([this](auto& one) { (*this)(std::move(one)); }, action);
  }
  if (!stopped_) metrics.set_store_version(reflector_.resource_version());
}

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

void Informer::Core::operator()(StartTimer timer) {
  timer_ = transport_.start_timer(after(now(), timer.delay), [self = shared_from_this()] {
    self->timer_.reset();
    self->carry_out(self->reflector_.on_timer());
  });
}

// Replaces the store before any handler runs, so that no handler reads a mixture of two states. Deletions are delivered
// before other changes.
void Informer::Core::operator()(Replace replace) {
  const std::size_t count = replace.objects.size();
  logged_refusals_.erase("list");
  ObjectTable listed = store.new_table();
  for (const Object& object : replace.objects) (void)listed.put(object);
  ObjectTable before = own_writes.replace(std::move(listed), replace.resource_version);
  std::vector<Change> known;
  known.reserve(replace.objects.size());
  for (Object& object : replace.objects) {
    Object old = before.size() == 0 ? Object() : before.erase(object.key_view());
    const bool is_same = old && old.resource_version() == object.resource_version() && old.uid() == object.uid();
    if (is_same && (!replace.may_follow_rewind || old == object)) continue;
    known.push_back({.old = std::move(old),
                     .current = std::move(object),
                     .cause = listed_ ? ChangeCause::missed : ChangeCause::initial});
  }
  std::vector<Change> gone;
  for (Object& object : before.list()) gone.push_back({.old = std::move(object), .cause = ChangeCause::missed});
  // The watch did not deliver these changes, so the server may have been rewound. The other caches of the client are
  // notified before handlers use caches of different histories.
  if (replace.may_follow_rewind && !(gone.empty() && known.empty())) {
    forget_versions();
    client_.report_rewind(*this);
  }
  deliver(std::move(gone));
  deliver(std::move(known));
  if (!std::exchange(listed_, true)) mark_synced_after_handlers();
  constexpr std::size_t large = 4096;  // objects
  if (count >= large) dispatcher_.run_after_pending(subscriptions(), give_memory_back);
}

void Informer::Core::mark_synced_after_handlers() {
  for (const auto& feed : feeds_) all_received(*feed);
  dispatcher_.run_after_pending(subscriptions(), [self = shared_from_this()] {
    const MutexLock lock(self->mutex_);
    self->synced_ = true;
    self->changed_.notify_all();
  });
}

void Informer::Core::operator()(Put put) {
  const Object old = own_writes.put(put.object);
  // An event that arrives twice is no change.
  if (old && old.resource_version() == put.object.resource_version() && old.uid() == put.object.uid()) return;
  deliver({.old = old, .current = std::move(put.object), .cause = ChangeCause::change});
}

void Informer::Core::operator()(Erase erase) {
  if (!own_writes.erase(erase.object)) return;
  // The change contains the object of the event, which is at least as new as the cached one.
  deliver({.old = std::move(erase.object), .current = {}, .cause = ChangeCause::change});
}

// Handlers that follow each other in one lane share a feed, so that each change waits once for all of them.
void Informer::Core::add_feeds(std::vector<NewHandler> handlers) {
  for (std::size_t first = 0, last = 0; first < handlers.size(); first = last) {
    const HandlerOptions with = handlers[first].options;
    auto feed = std::make_unique<Feed>();
    std::vector<ChangeHandler> functions;
    const auto joins = [&](const NewHandler& one) {
      return with.lane != nullptr && one.options.lane == with.lane && one.options.resync_period == with.resync_period;
    };
    do {
      functions.push_back(std::move(handlers[last].handler));
      feed->handlers.push_back(std::move(handlers[last].state));
    } while (++last < handlers.size() && joins(handlers[last]));
    feed->subscription = dispatcher_.open(std::move(functions), metrics, with.lane);
    if (with.resync_period > Duration::zero()) feed->resync_period = std::max(with.resync_period, min_resync_period);
    feeds_.push_back(std::move(feed));
  }
}

void Informer::Core::add_late_handler(NewHandler handler) {
  transport_.post([self = shared_from_this(), handler = std::move(handler)] {
    if (self->stopped_) return;
    self->add_feeds({handler});
    if (!self->listed_) return;  // the first list is delivered to it as to the others
    Feed& feed = *self->feeds_.back();
    feed.is_late = true;
    self->feed_existing(feed);
  });
}

// A late handler receives an object that it has not reached yet with a later part, in its state of that time.
bool Informer::Core::is_for(const Feed& feed, const Change& change) {
  return !feed.is_late || (feed.at && !(ObjectKeyView(*feed.at) < change.object().key_view()));
}

void Informer::Core::deliver(Change change) {
  for (const auto& feed : feeds_) {
    if (!is_for(*feed, change)) continue;
    dispatcher_.push(feed->subscription, feed == feeds_.back() ? std::move(change) : change);
  }
}

void Informer::Core::deliver(std::vector<Change> changes) {
  for (const auto& feed : feeds_) {
    if (feed->is_late) std::erase_if(changes, [&](const Change& one) { return !is_for(*feed, one); });
    dispatcher_.push_all(feed->subscription, feed == feeds_.back() ? std::move(changes) : changes);
  }
}

// Pushes the next objects to a feed. Returns false if they were the last ones.
bool Informer::Core::push_part(Feed& feed, ChangeCause cause) {
  std::vector<Object> objects = own_writes.confirmed(feed.at, max_part);
  const bool is_last = objects.size() < max_part;
  if (!objects.empty()) feed.at = objects.back().key();
  std::vector<Change> changes;
  changes.reserve(objects.size());
  for (Object& object : objects) {
    const Object old = cause == ChangeCause::resync ? object : Object();
    changes.push_back({.old = old, .current = std::move(object), .cause = cause});
  }
  dispatcher_.push_all(feed.subscription, std::move(changes));
  if (is_last) feed.at.reset();
  return !is_last;
}

void Informer::Core::feed_existing(Feed& feed) {
  if (push_part(feed, ChangeCause::initial)) {
    transport_.post([self = shared_from_this(), &feed] {
      if (!self->stopped_) self->feed_existing(feed);
    });
    return;
  }
  feed.is_late = false;
  all_received(feed);
}

void Informer::Core::resync(Feed& feed) {
  if (push_part(feed, ChangeCause::resync)) {
    transport_.post([self = shared_from_this(), &feed] {
      if (!self->stopped_) self->resync(feed);
    });
    return;
  }
  start_resync_timer(feed);
}

void Informer::Core::start_resync_timer(Feed& feed) {
  const double share = 0.9 + 0.2 * Random::to_unit(transport_.executor().random());
  const auto period = std::chrono::duration_cast<Duration>(feed.resync_period * share);
  feed.timer = transport_.start_timer(after(now(), period), [self = shared_from_this(), &feed] {
    feed.timer.reset();
    self->resync(feed);
  });
}

// Called when all existing objects have been pushed to a feed.
void Informer::Core::all_received(Feed& feed) {
  if (feed.resync_period > Duration::zero()) start_resync_timer(feed);
  dispatcher_.run_after_pending({feed.subscription}, [handlers = feed.handlers] {
    for (const auto& handler : handlers) handler->synced_ = true;
  });
}

std::vector<std::shared_ptr<Dispatcher::Subscription>> Informer::Core::subscriptions() const {
  std::vector<std::shared_ptr<Dispatcher::Subscription>> all;
  for (const auto& feed : feeds_) all.push_back(feed->subscription);
  return all;
}

void Informer::Core::notify_watch_end(const Reflector::Actions& actions) const {
  if (stopped_) return;
  const Error* error = nullptr;
  for (const ReflectorAction& action : actions) {
    if (const auto* warning = std::get_if<Warning>(&action)) error = &warning->error;
  }
  for (const WatchEndHandler& handler : watch_end_handlers_) handler(error);
}

// Does not call handlers; the event that confirms the write does that once.
void Informer::Core::on_written(const Object& object, std::optional<std::string_view> from, bool made_it) {
  const auto is_watched = watched_.contains(object);
  if (!is_watched) return;
  bool fits = true;
  if (response_reader_.is_kept(object)) {
    fits = own_writes.wrote(object, *is_watched);
  } else if (auto kept = Reflector::project(object.root(), options.reflector)) {
    fits = own_writes.wrote(*kept, *is_watched);
  }
  if (!fits) list_again();
  if (from) own_versions.add(*from, object);
  if (made_it) notify_write({.uid = object.uid(), .version = object.resource_version(), .from = from});
}

// Makes the reflector list again, because the server may not have the history that the store contains.
void Informer::Core::list_again() {
  transport_.post([self = shared_from_this()] {
    if (self->stopped_) return;
    self->reflector_.on_version_conflict(self->now());
    if (self->reflector_.should_end_watch() && self->exchange_) self->transport_.cancel(*self->exchange_);
  });
}

void Informer::Core::operator()(DroppedObjects dropped) {
  metrics.dropped(dropped.objects);
  log_.error("an object is left out of the cache",
             {{"error", dropped.error.to_string()}, {"objects", dropped.objects}});
}

void Informer::Core::operator()(Warning warning) {
  std::string text = warning.error.to_string();
  log_warning(warning.error, text);
  const MutexLock lock(mutex_);
  last_error_ = std::move(text);
}

// A refusal lasts until a person grants the permission, so it is logged once and not at each retry.
void Informer::Core::log_warning(const Error& error, const std::string& text) {
  const bool is_unknown = error.code == ErrorCode::unauthorized;
  if (!is_unknown && error.code != ErrorCode::forbidden) {
    log_.warning("list or watch of a resource is interrupted; the cache catches up after the next retry",
                 {{"error", text}});
    return;
  }
  const bool is_new = std::exchange(logged_refusals_[verb_], text) != text;
  log_.write(is_new ? LogLevel::warning : LogLevel::debug,
             is_unknown
                 ? "the cluster rejects the credentials of this program; renew them; requests are repeated until then"
                 : "the cluster forbids this program to read a resource; grant the permission (--print-rbac prints "
                   "the roles); requests are repeated until then",
             {{"verb", verb_},
              {"namespace", options.namespace_.empty() ? std::string("all") : options.namespace_},
              {"error", text}});
}

// Other clients may make the same versions again.
void Informer::Core::forget_versions() {
  own_versions.clear();
  for (const RewindHandler& handler : rewind_handlers_) handler();
}

Result<void> Informer::Core::wait_for_sync(Instant deadline, const std::stop_token& stop) {
  const StopCallback wake(transport_.executor(), stop, [this] {
    const MutexLock lock(mutex_);
    changed_.notify_all();
  });
  const MutexLock lock(mutex_);
  while (!synced_) {
    if (stop.stop_requested()) return fail(ErrorCode::cancelled, "stopped while waiting for the first list");
    if (!changed_.wait_until(mutex_, deadline) && !synced_) {
      return fail(ErrorCode::timeout, missing() + " in time" + warning());
    }
  }
  return {};
}

Result<void> Informer::Core::add_index(const Index& index) {
  const auto on_error = [this](const std::string& name, const Object& object, const std::string& error) {
    metrics.index_failed(name);
    log_.error("an object is in no value of an index",
               {{"index", name}, {"object", object.key().to_string()}, {"error", error}});
  };
  if (store.add_index(index.name, index.keys, on_error)) return {};
  return fail(ErrorCode::already_exists, "the cache of " + options.resource.to_string() + " has an index \"" +
                                             index.name + "\" already; declare it once, or use another name");
}

std::string Informer::Core::sync_status() const {
  const MutexLock lock(mutex_);
  return missing() + warning();
}

std::string Informer::Core::warning() const { return last_error_.empty() ? std::string() : ": " + last_error_; }

std::string Informer::Core::missing() const {
  std::string text = "the first list of " + options.resource.to_string();
  if (!options.namespace_.empty()) text += " in namespace " + options.namespace_;
  for (const std::string* selector : {&options.label_selector, &options.field_selector}) {
    if (!selector->empty()) text += " with " + *selector;
  }
  return text + " has not arrived";
}

Informer::Informer(Client& client, Dispatcher& dispatcher, Log log, InformerOptions options)
    : core_(std::make_shared<Core>(client, dispatcher, std::move(log), std::move(options))) {}

Informer::~Informer() { stop(); }

std::shared_ptr<const InformerHandler> Informer::add_handler(ChangeHandler handler, HandlerOptions options) {
  auto state = std::make_shared<InformerHandler>();
  NewHandler added{.handler = std::move(handler), .options = std::move(options), .state = state};
  if (core_->has_started()) {
    core_->add_late_handler(std::move(added));
  } else {
    handlers_.push_back(std::move(added));
  }
  return state;
}
Result<void> Informer::add_index(const Index& index) { return core_->add_index(index); }
void Informer::on_watch_end(std::function<void(const Error*)> callback) {
  watch_end_handlers_.push_back(std::move(callback));
}
void Informer::on_write(std::function<void(const Write&)> callback) { write_handlers_.push_back(std::move(callback)); }
void Informer::on_rewind(std::function<void()> callback) { rewind_handlers_.push_back(std::move(callback)); }
void Informer::start() {
  core_->start(std::exchange(handlers_, {}), std::exchange(watch_end_handlers_, {}), std::exchange(write_handlers_, {}),
               std::exchange(rewind_handlers_, {}));
}
void Informer::stop() { core_->stop(); }
const Store& Informer::store() const noexcept { return core_->store; }
bool Informer::has_only_own_writes(const Object& before, const Object& after) const {
  return core_->own_versions.lead(before, after);
}
const Resource& Informer::resource() const noexcept { return core_->options.resource; }
const InformerOptions& Informer::options() const noexcept { return core_->options; }
std::optional<std::uint64_t> Informer::pending_create() const { return core_->own_writes.pending_create(); }
void Informer::resolve_pending_create(std::uint64_t pending, std::string_view version) {
  core_->own_writes.resolve_pending_create(pending, version);
}
bool Informer::has_synced() const { return core_->has_synced(); }
std::string Informer::sync_status() const { return core_->sync_status(); }
Result<void> Informer::wait_for_sync(Instant deadline, std::stop_token stop) {
  return core_->wait_for_sync(deadline, stop);
}

}  // namespace pintle
