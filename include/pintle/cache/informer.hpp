// Informer: a store that is kept true by list and watch, and handlers that are told of every change.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <pintle/base/log.hpp>
#include <pintle/cache/dispatcher.hpp>
#include <pintle/cache/reflector.hpp>
#include <pintle/cache/store.hpp>
#include <pintle/client/client.hpp>

namespace pintle {

struct InformerOptions {
  Resource resource{};
  std::string namespace_{};  // empty: all
  std::string label_selector{};
  std::string field_selector{};
  // A watch that says nothing this long, not even a bookmark, is opened anew: its peer may be dead.
  Duration longest_silence = std::chrono::minutes(3);
  ReflectorOptions reflector{};  // its kind and random source are set here
};

// Runs on the I/O thread of the client's transport; handlers run on the dispatcher. Every object that appears is told
// of once as added, every one that goes once as deleted, with the steps between perhaps merged. Thread-safe, but for
// add_handler.
class Informer {
 public:
  Informer(Client& client, Dispatcher& dispatcher, Log log, InformerOptions options);
  ~Informer();
  Informer(const Informer&) = delete;
  Informer& operator=(const Informer&) = delete;

  // Before start().
  void add_handler(ChangeHandler handler);
  void start();
  // Ends list and watch; once it returns nothing more is pushed to the dispatcher, though what was may still be
  // delivered. Idempotent; not from the I/O thread.
  void stop();

  [[nodiscard]] const Store& store() const noexcept;
  [[nodiscard]] const Resource& resource() const noexcept;
  // The first list is in the store and every handler has been told of it.
  [[nodiscard]] bool has_synced() const;
  // Waits for that. Errors: timeout at the deadline, naming the kind and the last trouble; cancelled.
  [[nodiscard]] Result<void> wait_for_sync(Instant deadline, std::stop_token stop = {});

 private:
  class Core;
  std::shared_ptr<Core> core_;
  std::vector<ChangeHandler> handlers_;
};

}  // namespace pintle
