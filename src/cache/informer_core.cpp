// SPDX-License-Identifier: Apache-2.0
#include "informer_core.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <utility>

#include <pintle/base/random.hpp>

#include "informer_exchange.hpp"

namespace pintle {

namespace {

// A list needs much memory for a short time, in pieces between the objects that remain. malloc does not return such
// pieces to the system by itself.
void give_memory_back() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

InformerOptions completed(InformerOptions options, Client& client) {
  options.reflector.kind = options.resource.kind;
  options.reflector.stream_pause = client.stream_pause(options.resource.kind);
  options.reflector.random = [&executor = client.transport().executor()] { return Random::to_unit(executor.random()); };
  // The projection also applies to the responses to writes, and to a server that sends whole objects.
  auto& kept = options.reflector.projection.projection.keep;
  if (options.reflector.metadata_only) kept = {"/apiVersion", "/kind", "/metadata"};
  // A Namespace exists until its spec contains no finalizers.
  if (!kept.empty() && options.resource.kind == GroupVersionKind("v1", "Namespace"))
    kept.emplace_back("/spec/finalizers");
  return options;
}

}  // namespace

Informer::Core::Core(Client& client, Dispatcher& dispatcher, Log log, InformerOptions given)
    : options(completed(std::move(given), client)),
      store(client.transport().executor()),
      own_writes(client.transport().executor(), store),
      own_versions(client.transport().executor()),
      client_(client),
      transport_(client.transport()),
      dispatcher_(dispatcher),
      log_(log.with({{"resource", title()}})),
      watched_(options.namespace_, options.label_selector, options.field_selector),
      reflector_(options.reflector),
      response_reader_(client.transport().executor(), options.reflector),
      mutex_(transport_.executor()),
      changed_(transport_.executor()) {}

void Informer::Core::start(Handlers handlers) {
  handlers_ = std::move(handlers);
  started_ = true;
  if (auto usable = validate_projection(options.reflector.projection.projection); !usable) {
    return (*this)(Warning{std::move(usable.error())});  // wait_for_sync() reports it
  }
  client_.add_write_observer(options.resource.kind, weak_from_this());
  const bool is_needed = [this] {
    const MutexLock lock(mutex_);
    return absence_ == Absence::none;
  }();
  if (!is_needed) return;
  if (options.resource.plural.empty()) return set_absent(Absence::not_served);
  transport_.post([self = shared_from_this()] { self->start_lists(self->options.resource); });
}

void Informer::Core::begin(Resource resource) {
  transport_.post([self = shared_from_this(), resource = std::move(resource)]() mutable {
    if (self->stopped_) return;
    if (!self->resource_.plural.empty()) return self->report_first_result();
    self->end_absence();
    self->start_lists(std::move(resource));
  });
}

void Informer::Core::expect() {
  transport_.post([self = shared_from_this()] {
    if (!self->stopped_ && self->resource_.plural.empty()) self->end_absence();
  });
}

void Informer::Core::end_absence() {
  const MutexLock lock(mutex_);
  absence_ = Absence::none;
  last_error_.clear();
  readable_.store(false, std::memory_order_release);
}

// A reflector begins anew each time, because the versions of a former CRD say nothing about the objects of a new one.
void Informer::Core::start_lists(Resource resource) {
  if (stopped_) return;
  resource_ = std::move(resource);
  if (!has_feeds_) open_feeds();
  if (++beginning_ > 1) reflector_ = Reflector(options.reflector);
  has_first_result_ = false;
  carry_out(reflector_.start(now(), own_writes.resume()));
}

void Informer::Core::suspend() {
  if (!started_) return set_absent(Absence::not_needed);
  end_lists_because(Absence::not_needed);
}

void Informer::Core::end_lists_because(Absence why) {
  transport_.post([self = shared_from_this(), why] {
    if (self->stopped_) return;
    if (self->resource_.plural.empty()) return self->set_absent(why);
    self->end_lists(why);
  });
}

// A kind that is not served has no objects, so its empty store can be read. A kind that is not watched may have
// objects.
void Informer::Core::set_absent(Absence why) {
  own_writes.set_paused(why == Absence::not_needed);
  const MutexLock lock(mutex_);
  absence_ = why;
  synced_ = refused_ = false;
  last_response_.reset();
  readable_.store(why == Absence::not_served, std::memory_order_release);
  changed_.notify_all();
}

// The objects of a kind that is not served do not exist: readers find none, and handlers receive their deletions.
void Informer::Core::end_lists(Absence why) {
  resource_.plural.clear();
  if (const auto exchange = current_.lock()) exchange->detach();
  if (exchange_) transport_.cancel(*std::exchange(exchange_, {}));
  for (auto* timer : {&timer_, &stream_timer_}) {
    if (*timer) transport_.cancel_timer(*std::exchange(*timer, {}));
  }
  logged_refusals_.clear();
  abandon_replacement();
  postponed_.clear();
  {
    const MutexLock lock(mutex_);
    absence_ = why;
    synced_ = refused_ = false;
    last_response_.reset();
    if (why != Absence::not_served) readable_.store(false, std::memory_order_release);
  }
  // Only the store of a kind that is not served is read: it shows a write that succeeds before that ends.
  own_writes.set_paused(why == Absence::not_needed);
  std::vector<Change> gone;
  for (Object& object : own_writes.clear().list())
    gone.push_back({.old = std::move(object), .cause = ChangeCause::missed});
  bytes_ = 0;
  own_versions.clear();
  readable_.store(why == Absence::not_served, std::memory_order_release);
  deliver(std::move(gone));
  for (const auto& feed : feeds_) {
    if (feed->timer) transport_.cancel_timer(*std::exchange(feed->timer, {}));
    feed->is_late = false;
    feed->at.reset();
  }
  listed_ = false;
  add_late_feeds(std::exchange(late_handlers_, {}));
  const MutexLock lock(mutex_);
  changed_.notify_all();
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
      for (const auto& timer : {self->timer_, self->stream_timer_}) {
        if (timer) self->transport_.cancel_timer(*timer);
      }
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
    if (replacing_) {
      postponed_.push_back(std::move(action));
    } else {
      std::visit([this](auto& one) { (*this)(std::move(one)); }, action);
    }
  }
  if (stopped_ || replacing_) return;
  metrics_.set_store_version(reflector_.resource_version());
}

void Informer::Core::operator()(StartTimer timer) {
  arrived();
  timer_ = transport_.start_timer(after(now(), timer.delay), [self = shared_from_this()] {
    self->timer_.reset();
    self->carry_out(self->reflector_.on_timer());
  });
}

// Replaces the store before any handler runs, so that no handler reads a mixture of two states. A large list is applied
// in turns of the I/O thread; the actions after it wait until it is applied.
void Informer::Core::operator()(Replace replace) {
  logged_refusals_.erase("list");
  permitted();
  replacing_ = std::make_unique<Replacement>(std::move(replace), own_writes,
                                             listed_ ? ChangeCause::missed : ChangeCause::initial, requested_newest_);
  const bool is_small = std::max(replacing_->size(), store.size()) <= Replacement::slice;
  if (is_small) {
    while (continue_replacement()) {}
  } else {
    continue_replacement_later();
  }
}

void Informer::Core::continue_replacement_later() {
  transport_.post([self = shared_from_this(), replacement = replacing_.get()] {
    if (self->stopped_ || self->replacing_.get() != replacement) return;
    if (self->continue_replacement()) return self->continue_replacement_later();
    self->carry_out(std::exchange(self->postponed_, {}));
    if (!self->replacing_) self->own_writes.advance_to(self->reflector_.resource_version());
  });
}

// Makes one step. Returns false when the list is applied.
bool Informer::Core::continue_replacement() {
  if (is_preparing_) {
    prepare_replacement();
    return true;
  }
  auto changes = replacing_->take_changes();
  const bool is_complete = changes.size() < Replacement::slice;
  deliver(std::move(changes));
  if (is_complete) end_replacement();
  return !is_complete;
}

void Informer::Core::prepare_replacement() {
  is_preparing_ = replacing_->prepare();
  if (is_preparing_) return;
  bytes_ = replacing_->bytes();
  // The watch did not deliver these changes, so the server may have been rewound. The other caches of the client are
  // notified before handlers use caches of different histories.
  if (replacing_->shows_rewind()) {
    forget_versions();
    client_.report_rewind(*this);
  }
}

// If the store has been replaced, delivers all changes, so that handlers have the state of the store.
void Informer::Core::abandon_replacement() {
  if (replacing_ && replacing_->has_replaced()) {
    while (is_preparing_) prepare_replacement();
    for (auto changes = replacing_->take_changes(); !changes.empty(); changes = replacing_->take_changes())
      deliver(std::move(changes));
  }
  replacing_.reset();
  is_preparing_ = true;
}

void Informer::Core::end_replacement() {
  const std::size_t count = replacing_->size();
  replacing_.reset();
  is_preparing_ = true;
  if (!std::exchange(listed_, true)) mark_synced_after_handlers();
  add_late_feeds(std::exchange(late_handlers_, {}));
  note_result();
  constexpr std::size_t large = 4096;  // objects
  if (count >= large) dispatcher_.run_after_pending(subscriptions(), give_memory_back);
}

void Informer::Core::note_result() {
  if (!std::exchange(has_first_result_, true)) report_first_result();
}

void Informer::Core::report_first_result() const {
  for (const auto& handler : handlers_.first_result) handler();
}

void Informer::Core::mark_synced_after_handlers() {
  for (const auto& feed : feeds_) all_received(*feed);
  dispatcher_.run_after_pending(subscriptions(), [self = shared_from_this(), beginning = beginning_.load()] {
    {
      const MutexLock lock(self->mutex_);
      const bool has_ended = self->absence_ != Absence::none || beginning != self->beginning_.load();
      if (has_ended) return;  // the kind has been withdrawn meanwhile
      self->synced_ = true;
      self->readable_.store(true, std::memory_order_release);
      self->changed_.notify_all();
    }
    for (const auto& handler : self->handlers_.synced) handler();
  });
}

void Informer::Core::operator()(Put put) {
  const Object old = own_writes.put(put.object);
  count(old, put.object);
  // An event that arrives twice is no change.
  if (old && old.resource_version() == put.object.resource_version() && old.uid() == put.object.uid()) return;
  deliver({.old = old, .current = std::move(put.object), .cause = ChangeCause::change});
}

void Informer::Core::operator()(Erase erase) {
  const Object old = own_writes.erase(erase.object);
  if (!old) return;
  count(old, {});
  // The change contains the object of the event, which is at least as new as the cached one.
  deliver({.old = std::move(erase.object), .current = {}, .cause = ChangeCause::change});
}

// Does not call handlers; the event that confirms the write does that once.
void Informer::Core::on_written(const Object& object, std::optional<std::string_view> from, bool made_it,
                                const Object& before) {
  const auto is_watched = watched_.contains(object);
  if (!is_watched) return;
  bool fits = true;
  if (response_reader_.is_kept(object)) {
    fits = own_writes.wrote(object, *is_watched);
  } else if (auto kept = Reflector::project(object.root(), options.reflector)) {
    fits = own_writes.wrote(*kept, *is_watched, OwnWrites::completes_deletion(object));
  }
  if (!fits) list_again();
  if (from) own_versions.add(*from, object);
  if (!made_it) return;
  notify_write(
      {.uid = object.uid(), .version = object.resource_version(), .from = from, .before = before, .after = object});
}

// Makes the reflector list again, because the server may not have the history that the store contains.
void Informer::Core::list_again() {
  transport_.post([self = shared_from_this()] {
    if (self->stopped_) return;
    self->reflector_.on_version_conflict(self->now());
    if (self->reflector_.should_end_watch() && self->exchange_) self->transport_.cancel(*self->exchange_);
  });
}

// Other clients may make the same versions again.
void Informer::Core::forget_versions() {
  own_versions.clear();
  for (const auto& handler : handlers_.rewinds) handler();
}

}  // namespace pintle
