#include <pintle/cache/dispatcher.hpp>

#include <utility>

namespace pintle {

class Dispatcher::Channel {
 public:
  Channel(std::vector<ChangeHandler> told, InformerMetrics of) : handlers(std::move(told)), metrics(of) {}

  const std::vector<ChangeHandler> handlers;
  const InformerMetrics metrics;
  std::map<ObjectKey, Change> pending{};  // guarded by the dispatcher's mutex
};

namespace {

// What two steps are in one. An object that came and went unseen leaves neither old nor current: nothing to tell.
void merge(Change& first, Change next) {
  first.current = std::move(next.current);
  if (next.cause != ChangeCause::resync) first.cause = next.cause;
}

}  // namespace

Dispatcher::Dispatcher(Runtime& runtime)
    : runtime_(runtime),
      mutex_(runtime),
      changed_(runtime),
      thread_(runtime.spawn({.name = "dispatcher", .may_block = false}, [this] { run(); })) {}

Dispatcher::~Dispatcher() { stop(); }

std::shared_ptr<Dispatcher::Channel> Dispatcher::open(std::vector<ChangeHandler> handlers, InformerMetrics metrics) {
  return std::make_shared<Channel>(std::move(handlers), metrics);
}

void Dispatcher::push(const std::shared_ptr<Channel>& channel, Change change) {
  ObjectKey key = change.object().key();
  const MutexLock lock(mutex_);
  if (stopped_) return;
  const auto [at, is_new] = channel->pending.try_emplace(key, change);
  if (is_new) {
    waiting_.push_back({.channel = channel, .key = std::move(key)});
    channel->metrics.queued(1);
    changed_.notify_all();
  } else {
    merge(at->second, std::move(change));
  }
}

void Dispatcher::after_what_is_pushed(std::function<void()> function) {
  const MutexLock lock(mutex_);
  if (stopped_) return;
  waiting_.push_back({.function = std::move(function)});
  changed_.notify_all();
}

void Dispatcher::run() {
  while (true) {
    Waiting next;
    {
      const MutexLock lock(mutex_);
      busy_ = false;
      while (waiting_.empty() && !stopped_) changed_.wait(mutex_);
      if (stopped_) return;
      next = std::move(waiting_.front());
      waiting_.pop_front();
      busy_ = true;
    }
    deliver(next);
  }
}

void Dispatcher::deliver(const Waiting& next) {
  if (next.function) {
    next.function();
    return;
  }
  Change change;
  {
    const MutexLock lock(mutex_);
    auto node = next.channel->pending.extract(next.key);
    change = std::move(node.mapped());
  }
  next.channel->metrics.queued(-1);
  if (!change.old && !change.current) return;
  const Instant begun = runtime_.now();
  for (const ChangeHandler& handler : next.channel->handlers) handler(change);
  next.channel->metrics.handled(runtime_.now() - begun);
}

void Dispatcher::stop() {
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
    waiting_.clear();
    changed_.notify_all();
  }
  thread_.join();
}

bool Dispatcher::is_quiet() const {
  const MutexLock lock(mutex_);
  return waiting_.empty() && !busy_;
}

}  // namespace pintle
