// SPDX-License-Identifier: Apache-2.0
// FirstLists: starts the informers of a cluster in order, and limits how many read their first list at the same time.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include <pintle/base/mutex.hpp>
#include <pintle/cache/informer.hpp>

namespace pintle {

// Otherwise an operator with many kinds would burden its server at each start with all lists at once, and hold the text
// of all of them. Each start but the first waits a random time of at most 100 ms, so that the instances of one operator
// do not request the same list at the same moment. Thread-safe.
class FirstLists {
 public:
  static constexpr std::size_t max_running = 8;

  explicit FirstLists(http::Transport& transport);
  ~FirstLists() { stop(); }
  FirstLists(const FirstLists&) = delete;
  FirstLists& operator=(const FirstLists&) = delete;

  // Starts the informers in this order. They must live until stop() returns. Must be called once.
  void start(const std::vector<Informer*>& informers);
  // Starts one more informer, after those that wait. It must live until stop() or remove() returns.
  void add(Informer& informer);
  // The same, but calls Informer::begin() with this resource. Until then, reads go to the server.
  void begin(Informer& informer, Resource resource);
  // Must be called with an informer that is suspended. Takes back a start that has not taken place, and frees the place
  // of a first list in progress.
  void remove(const Informer& informer);
  // Must be called when the first list of an informer has arrived, or when its first request has failed: others do not
  // wait for a kind that is forbidden. No effect without a first list in progress. May be called on the I/O thread.
  void note_result(const Informer& informer);
  // No further informer is started. Idempotent.
  void stop();

 private:
  struct Start {
    Informer* informer = nullptr;
    std::optional<Resource> resource{};  // for Informer::begin(); none: Informer::start()
    void operator()() const;
  };
  // Timers keep it alive.
  struct State {
    explicit State(Executor& executor) : mutex(executor) {}
    Mutex mutex;
    std::deque<Start> waiting PINTLE_GUARDED_BY(mutex);
    std::vector<const Informer*> running PINTLE_GUARDED_BY(mutex);
    std::set<const Informer*> starting PINTLE_GUARDED_BY(mutex);  // of `running`, in their random time
    bool stopped PINTLE_GUARDED_BY(mutex) = false;
  };
  void add(Start start);
  void start_next(bool is_first);

  http::Transport& transport_;
  const std::shared_ptr<State> state_;
};

}  // namespace pintle
