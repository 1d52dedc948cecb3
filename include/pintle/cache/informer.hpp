// SPDX-License-Identifier: Apache-2.0
// Informer: keeps a store up to date by list and watch and calls handlers for every change.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/log.hpp>
#include <pintle/cache/dispatcher.hpp>
#include <pintle/cache/reflector.hpp>
#include <pintle/cache/store.hpp>
#include <pintle/client/client.hpp>

namespace pintle {

enum class InformerState {
  waiting,    ///< the server does not serve the kind, so the cache is empty; see Informer::begin()
  forbidden,  ///< the server rejects the credentials, or forbids to list or watch the kind; requests are repeated
  syncing,    ///< the first list has not arrived, or its handlers are still running
  synced,     ///< the cache has the first list; a watch keeps it up to date
  inactive,   ///< nothing needs the kind, so it is not watched, and the cache is empty; see Informer::suspend()
};

/// "waiting", "forbidden", "syncing", "synced" or "inactive".
[[nodiscard]] PINTLE_EXPORT std::string_view to_string(InformerState state) noexcept;

/// A plain value.
struct InformerStatus {
  InformerState state = InformerState::syncing;
  /// Why the state is not `synced`: the kind, the namespace, the selectors, the last error and, if the state is
  /// `forbidden`, the RBAC rule to add. "" if the state is `synced`.
  std::string detail{};
  /// When the server last sent a part of a list, an event or a bookmark. The acceptance of a watch also counts if the
  /// server sends no bookmarks for the kind. None: nothing has arrived yet.
  std::optional<Instant> last_response{};
  std::size_t objects = 0;  ///< in the cache; while a first list arrives, those that have arrived
  std::size_t bytes = 0;    ///< memory of the objects, without the parts that they share
};

struct InformerOptions {
  /// If `plural` is empty, the server does not serve the kind yet; start() then sends no request, see
  /// Informer::begin().
  Resource resource{};
  std::string namespace_{};  ///< empty: all namespaces
  std::string label_selector{};
  std::string field_selector{};
  /// A watch that delivers nothing for this time, not even a bookmark, is opened again, because the connection may be
  /// lost.
  Duration watch_idle_timeout = std::chrono::minutes(3);
  ReflectorOptions reflector{};        ///< the informer sets `kind`, `random` and `stream_pause`
  MetricsRegistry* metrics = nullptr;  ///< must outlive the informer; null: no metrics
  std::string name{};                  ///< label `name` of the metrics: the component that uses the informer
};

struct HandlerOptions {
  /// Handlers with the same lane are never called at the same time. If they are added one after the other before
  /// start(), with the same other options, they receive each change in that order. Default: a lane of its own, so that
  /// no other handler waits for this one.
  std::shared_ptr<Dispatcher::Lane> lane{};
  /// After 0.9 to 1.1 times this period, the handler receives each object again with ChangeCause::resync, unless a
  /// change of the object waits. Nothing is read from the server. At least 1 s; 0: never.
  Duration resync_period{};
  /// Delivers an object that is added and deleted before its delivery as deleted. The creator of an object can
  /// then create it again.
  bool deliver_short_lived = false;
};

/// A handler of an informer. Thread-safe.
class InformerHandler {
 public:
  /// True if the handler has received all objects of the first list. For a handler that was added later: all objects
  /// that existed when it was added.
  [[nodiscard]] bool has_synced() const noexcept { return synced_; }

 private:
  friend class Informer;
  std::atomic<bool> synced_ = false;
};

/// Runs on the I/O thread of the client's transport; handlers run on the threads of the dispatcher. Handlers receive a
/// new object as added and a deleted object as deleted, each once; the steps between may be merged. An object that is
/// added and deleted before its delivery is not delivered, except with HandlerOptions::deliver_short_lived, and a
/// deletion and a new object with the same name may be one change.
///
/// If the client writes an object that matches the namespace and the selectors, the store contains the result before
/// the write returns, and an older state never replaces it. A completed delete removes the object from the store.
/// Handlers receive such changes once, when the watch delivers them. The write returns the Object in the store, not a
/// copy, if three conditions hold: the cache has a pool, it keeps everything except managedFields, and the client has
/// no other informer of the kind.
///
/// Thread-safe, except start() and what must be called before it.
class PINTLE_EXPORT Informer {
 public:
  /// The store shows the writes of `client`, which must outlive the informer.
  Informer(Client& client, Dispatcher& dispatcher, Log log, InformerOptions options);
  ~Informer();
  Informer(const Informer&) = delete;
  Informer& operator=(const Informer&) = delete;

  /// A handler that is added after start() receives the existing objects as added, with ChangeCause::initial, and
  /// then all changes.
  std::shared_ptr<const InformerHandler> add_handler(ChangeHandler handler, HandlerOptions options = {});
  /// Adds an index to the store; Index::kind is ignored. Errors of its function are logged and counted. An index may be
  /// added at any time. Error: already_exists.
  [[nodiscard]] Result<void> add_index(const Index& index);
  /// A write of the client to an object of the watched kind and namespaces.
  struct Write {
    std::string_view uid{};
    std::string_view version{};              ///< the version after the write; "" for a completed delete
    std::optional<std::string_view> from{};  ///< the version that the write required; "" for a create
    Object before{};  ///< the object as the cache had it when the write was sent; empty: it did not have it
    Object after{};   ///< the object in the response; empty for a completed delete
  };
  /// Registers a function that is called on the writing thread before the write returns. It is not called for writes
  /// that changed nothing or for deletions that have only begun. It must not block, and several threads may call it at
  /// the same time. Register it before start().
  void on_write(std::function<void(const Write&)> callback);
  /// Registers a function that is called each time a watch ends, with the error if there is one. An ERROR event and a
  /// refused watch are also errors. It runs on the I/O thread and must not block. Register it before start().
  void on_watch_end(std::function<void(const Error* error)> callback);
  /// Registers a function that is called when a list shows a rewind: the server has returned to an earlier state, for
  /// example from a backup. The server may then assign a resourceVersion a second time, to another write. The function
  /// runs on the I/O thread before any handler receives the list, so it must not block. It may also be called without a
  /// rewind. Register it before start().
  void on_rewind(std::function<void()> callback);
  /// Registers a function that is called each time a list or watch fails because the server does not have the resource
  /// (404). It runs on the I/O thread and must not block. Register it before start().
  void on_not_found(std::function<void()> callback);
  /// Registers a function that is called once after start() and after each begin(): when the first list has been
  /// applied to the store, or when the first request has failed. It runs on the I/O thread and must not block. Register
  /// it before start().
  void on_first_result(std::function<void()> callback);
  void start();
  /// Registers a function that is called each time has_synced() becomes true: after the first list, and after each
  /// begin(). It runs on a thread of the dispatcher, after the handlers. Register it before start().
  void on_synced(std::function<void()> callback);
  /// Makes an informer in the state `waiting` or `inactive`, or after expect(), list and watch this resource.
  /// `resource` must be of the kind in the options. Call it after start(). If the informer already lists or watches,
  /// this function only calls the functions of on_first_result().
  void begin(Resource resource);
  /// Call it when begin() will follow later: the state is `syncing` from now on, so reads go to the server. No effect
  /// if the informer already lists or watches.
  void expect();
  /// Call it when the server does not serve the kind any more. The informer ends its list or watch, the cache becomes
  /// empty, handlers receive the deletion of each object, and the state is `waiting` until begin() is called.
  void withdraw();
  /// Call it when nothing needs the objects. As withdraw(), but the state is `inactive`, in which the store does not
  /// replace a read from the server (is_readable() is false). If it is called before start(), start() sends no request.
  void suspend();
  /// Ends list and watch. After it returns, no more changes are pushed to the dispatcher, but earlier ones may still be
  /// delivered. Idempotent. Must not be called from the I/O thread.
  void stop();

  [[nodiscard]] const Store& store() const noexcept;
  /// Returns a value if the response to a create with a generated name was lost, so that the store may lack the created
  /// object. The caller must then read from the server before the next create, and pass this value and the version of
  /// that read to resolve_pending_create().
  [[nodiscard]] std::optional<std::uint64_t> pending_create() const;
  void resolve_pending_create(std::uint64_t pending, std::string_view version);
  /// Returns whether only writes of this client lie between two states of an object. A write counts only if it had a
  /// precondition on the version that it replaced; otherwise another client may have changed the object in between.
  /// Returns false if the response to one of the writes has not arrived, or if one of them is not among the last 1,024
  /// such writes. `before` may be empty.
  [[nodiscard]] bool has_only_own_writes(const Object& before, const Object& after) const;
  /// The resource in the options. If the server did not serve the kind when the informer was made, `plural` is empty.
  [[nodiscard]] const Resource& resource() const noexcept;
  /// The resource for messages: "configmaps", "deployments.apps".
  [[nodiscard]] std::string title() const;
  [[nodiscard]] const InformerOptions& options() const noexcept;
  /// True if the store contains the first list and all handlers that were added before have received it.
  [[nodiscard]] bool has_synced() const;
  /// True if the store can replace a read from the server: has_synced() is true, or the server does not serve the kind.
  [[nodiscard]] bool is_readable() const noexcept;
  [[nodiscard]] InformerStatus status() const;
  /// While has_synced() is false: "the first list of configmaps has not arrived", with the namespace, the selectors and
  /// the last error, for example that the cluster forbids the list.
  [[nodiscard]] std::string sync_status() const;
  /// Waits until has_synced() is true. Errors: timeout at the deadline, with sync_status(); cancelled.
  [[nodiscard]] Result<void> wait_for_sync(Instant deadline, std::stop_token stop = {});
  /// Like wait_for_sync(), but also returns success when the state is `waiting` or `inactive`.
  [[nodiscard]] Result<void> wait_for_sync_if_active(Instant deadline, std::stop_token stop = {});

 private:
  class Core;
  struct NewHandler {
    ChangeHandler handler{};
    HandlerOptions options{};
    std::shared_ptr<InformerHandler> state{};
  };
  std::shared_ptr<Core> core_;
  std::vector<NewHandler> handlers_;
  std::vector<std::function<void(const Error*)>> watch_end_handlers_;
  std::vector<std::function<void(const Write&)>> write_handlers_;
  std::vector<std::function<void()>> rewind_handlers_;
  std::vector<std::function<void()>> not_found_handlers_;
  std::vector<std::function<void()>> first_result_handlers_;
  std::vector<std::function<void()>> synced_handlers_;
};

}  // namespace pintle
