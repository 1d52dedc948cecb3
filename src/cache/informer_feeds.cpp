// SPDX-License-Identifier: Apache-2.0
// How the changes of an informer reach its handlers: each lane on its own, late handlers, resyncs.
#include <algorithm>
#include <chrono>
#include <utility>

#include <pintle/base/random.hpp>

#include "informer_core.hpp"

namespace pintle {

namespace {

constexpr std::size_t max_part = 500;  // objects that one handler receives in one step of the I/O thread
constexpr Duration min_resync_period = std::chrono::seconds(1);

}  // namespace

// The name of the resource, which the metrics contain, is known once the server serves the kind.
void Informer::Core::open_feeds() {
  has_feeds_ = true;
  if (options.metrics != nullptr) metrics_ = InformerMetrics(*options.metrics, options.name, resource_);
  own_writes.count_in(metrics_.provisional());
  add_feeds(std::exchange(handlers_.changes, {}));
}

// Handlers that follow each other in one lane share a feed, so that each change waits once for all of them.
void Informer::Core::add_feeds(std::vector<NewHandler> handlers) {
  for (std::size_t first = 0, last = 0; first < handlers.size(); first = last) {
    const HandlerOptions with = handlers[first].options;
    auto feed = std::make_unique<Feed>();
    std::vector<ChangeHandler> functions;
    const auto joins = [&](const NewHandler& one) {
      return with.lane != nullptr && one.options.lane == with.lane && one.options.resync_period == with.resync_period &&
             one.options.deliver_short_lived == with.deliver_short_lived;
    };
    do {
      functions.push_back(std::move(handlers[last].handler));
      feed->handlers.push_back(std::move(handlers[last].state));
    } while (++last < handlers.size() && joins(handlers[last]));
    feed->subscription = dispatcher_.open(std::move(functions), metrics_, with.lane, with.deliver_short_lived);
    if (with.resync_period > Duration::zero()) feed->resync_period = std::max(with.resync_period, min_resync_period);
    feeds_.push_back(std::move(feed));
  }
}

void Informer::Core::add_late_handler(NewHandler handler) {
  transport_.post([self = shared_from_this(), handler = std::move(handler)] {
    if (self->stopped_) return;
    if (!self->has_feeds_) {
      self->handlers_.changes.push_back(handler);  // the server does not serve the kind yet
      return;
    }
    if (self->replacing_) {
      self->late_handlers_.push_back(handler);  // slices of the list may have been delivered already
      return;
    }
    self->add_late_feeds({handler});
  });
}

void Informer::Core::add_late_feeds(const std::vector<NewHandler>& handlers) {
  for (const NewHandler& handler : handlers) {
    add_feeds({handler});
    if (!listed_) continue;  // the first list is delivered to it as to the others
    Feed& feed = *feeds_.back();
    feed.is_late = true;
    feed_existing(feed);
  }
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
    if (feed->is_late) {
      std::vector<Change> reached = changes;
      std::erase_if(reached, [&](const Change& one) { return !is_for(*feed, one); });
      dispatcher_.push_all(feed->subscription, std::move(reached));
    } else {
      dispatcher_.push_all(feed->subscription, feed == feeds_.back() ? std::move(changes) : changes);
    }
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

// If the lists have ended meanwhile, there is no next part: the next beginning delivers all objects to each feed.
void Informer::Core::continue_feed(Feed& feed, void (Core::*next)(Feed&)) {
  transport_.post([self = shared_from_this(), &feed, next, beginning = beginning_.load()] {
    const bool has_ended = self->stopped_ || !self->listed_ || beginning != self->beginning_.load();
    if (!has_ended) ((*self).*next)(feed);
  });
}

// While a list is applied, the store may contain objects whose changes are not delivered yet.
void Informer::Core::feed_existing(Feed& feed) {
  if (replacing_ || push_part(feed, ChangeCause::initial)) return continue_feed(feed, &Core::feed_existing);
  feed.is_late = false;
  all_received(feed);
}

void Informer::Core::resync(Feed& feed) {
  if (replacing_ || push_part(feed, ChangeCause::resync)) return continue_feed(feed, &Core::resync);
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

Result<void> Informer::Core::add_index(const Index& index) {
  const auto on_error = [this](const std::string& name, const Object& object, const std::string& error) {
    metrics_.index_failed(name);
    log_.error("an object is in no value of an index",
               {{"index", name}, {"object", object.key().to_string()}, {"error", error}});
  };
  if (store.add_index(index.name, index.keys, on_error)) return {};
  return fail(ErrorCode::already_exists, "the cache of " + title() + " has an index \"" + index.name +
                                             "\" already; declare it once, or use another name");
}

}  // namespace pintle
