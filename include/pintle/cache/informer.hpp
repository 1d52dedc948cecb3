// Informer: a store that is kept true by list and watch, and handlers that are told of every change.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
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
  ReflectorOptions reflector{};        // its kind and random source are set here
  MetricsRegistry* metrics = nullptr;  // has to outlive the informer; null: nothing is measured
  std::string name{};                  // of who informs itself, in the metrics
};

// Runs on the I/O thread of the client's transport; handlers run on the dispatcher. Every object that appears is told
// of once as added, every one that goes once as deleted, with the steps between perhaps merged. What its client writes
// of the kind is in the store, if it is in scope, before the write returns, and never hidden by an older state; a
// delete that is done hides the object. With a pool, where nothing but managedFields is left out and this is the only
// one of its kind at the client, a write is answered with the very object that is in the store. Handlers hear of such a
// change as of any other, once, when the watch brings it. Thread-safe, but for add_handler.
class Informer {
 public:
  // The client is the one whose writes are seen; it must outlive this.
  Informer(Client& client, Dispatcher& dispatcher, Log log, InformerOptions options);
  ~Informer();
  Informer(const Informer&) = delete;
  Informer& operator=(const Informer&) = delete;

  // Before start().
  void add_handler(ChangeHandler handler);
  // A write of the client, of the kind and in a namespace that is watched.
  struct Write {
    std::string_view uid{};
    std::string_view version{};              // that the write made; "" for a removal that is done
    std::optional<std::string_view> from{};  // the version that it was for alone, "" for a create
  };
  // Called on the thread that writes, before the write returns; must not wait. Not for writes that changed nothing, nor
  // for deletions that have only begun. Several threads may call at once. Before start().
  void on_write(std::function<void(const Write&)> told);
  // Told each time a watch ends, with the error if it was one: an ERROR event of the server too, or that it refused the
  // watch. On the I/O thread, so it must not wait. Before start().
  void on_watch_end(std::function<void(const Error* error)> told);
  // Called when a list shows that the server was set back, for example restored from a backup: the server may then
  // assign a resourceVersion to another write than before. Runs on the I/O thread before any handler receives the list,
  // so it must not block. May also be called without a set-back. Register it before start().
  void on_set_back(std::function<void()> told);
  void start();
  // Ends list and watch; once it returns nothing more is pushed to the dispatcher, though what was may still be
  // delivered. Idempotent; not from the I/O thread.
  void stop();

  [[nodiscard]] const Store& store() const noexcept;
  // A create of the kind without a name got no answer, and the store may not show what it made: read the server before
  // making another, then resolve the doubt with the version that was read.
  [[nodiscard]] std::optional<std::uint64_t> doubt() const;
  void resolve(std::uint64_t doubt, std::string_view version);
  // Whether nothing but writes of our client lies between two states of an object, each made for one version alone, so
  // that nobody else's change is among them. Known once the write has been answered; `before` may be none.
  [[nodiscard]] bool is_own_change(const Object& before, const Object& after) const;
  [[nodiscard]] const Resource& resource() const noexcept;
  [[nodiscard]] const InformerOptions& options() const noexcept;
  // The first list is in the store and every handler has been told of it.
  [[nodiscard]] bool has_synced() const;
  // While they have not: "the first list of configmaps has not come", with where and the last trouble:
  // a refusal of the cluster, for example.
  [[nodiscard]] std::string what_is_missing() const;
  // Waits for that. Errors: timeout at the deadline, with what_is_missing(); cancelled.
  [[nodiscard]] Result<void> wait_for_sync(Instant deadline, std::stop_token stop = {});

 private:
  class Core;
  std::shared_ptr<Core> core_;
  std::vector<ChangeHandler> handlers_;
  std::vector<std::function<void(const Error*)>> told_of_watch_ends_;
  std::vector<std::function<void(const Write&)>> told_of_writes_;
  std::vector<std::function<void()>> told_of_set_backs_;
};

}  // namespace pintle
