// Client: reads and writes objects of one cluster; described structs and plain Objects through one class.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <pintle/base/log.hpp>
#include <pintle/base/metrics.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/client/cluster.hpp>
#include <pintle/client/resource.hpp>
#include <pintle/client/watch_stream.hpp>
#include <pintle/client/write_observer.hpp>
#include <pintle/http/transport.hpp>
#include <pintle/json/patch.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

struct ListOptions {
  std::string namespace_{};  // empty: all
  std::string label_selector{};
  std::string field_selector{};
  std::string resource_version{};
  std::string resource_version_match{};
  std::uint64_t limit = 0;  // per page; 0: the server decides
  std::string continue_{};
  bool metadata_only = false;  // nothing else of the objects is asked for; they keep their kind
};

struct WatchOptions {
  std::string namespace_{};
  std::string label_selector{};
  std::string field_selector{};
  std::string resource_version{};
  std::chrono::seconds timeout{300};  // asked of the server; it ends the watch then, which is no error
  bool metadata_only = false;         // as in ListOptions
  // First what is there, in no order of versions, as added; then a bookmark that ends_initial_events. Error: invalid
  // from a server that does not do it.
  bool send_initial_events = false;
};

template <class T>
struct TypedWatchEvent {
  WatchEventType type{};
  T object{};
};

struct ObjectList {
  std::vector<Object> items{};
  std::string resource_version{};
  std::string continue_{};  // not empty: there is more
};

struct WriteOptions {
  std::string field_manager{};  // empty: that of the client
  bool force = false;           // of apply: take fields over from other managers
  bool dry_run = false;
  bool status = false;  // write the status sub-resource
};

enum class Propagation { background, foreground, orphan };

struct DeleteOptions {
  std::string uid{};               // refuse unless the object has it
  std::string resource_version{};  // the same
  Propagation propagation = Propagation::background;
};

struct ClientOptions {
  std::shared_ptr<http::Transport> transport{};
  Cluster cluster{};
  std::string field_manager = "pintle";
  std::string user_agent = "pintle";
  Duration timeout =
      std::chrono::seconds(30);  // of a call; of a list the longest silence, however long all of it takes
  Log log{};
  MetricsRegistry* metrics = nullptr;
  // Counts and times requests by verb, kind and sub-resource too (kubernetes_client_*), which is a series for each.
  bool metrics_by_kind = false;
};

// Every call waits for its answer, ends with `cancelled` when `stop` is requested, and answers what the server holds
// after a write. Errors carry the server's Status: code, reason, causes, retry_after, and what was being done. Sent
// again here, up to 10 times: what was answered with 429 and a Retry-After of at most 30 seconds; and, unless doing it
// twice could do more than once (create, a JSON patch), 5xx with such a Retry-After and, for a second, what got no
// answer. A token file is read again each minute and after a 401. Warnings of the server are logged once
// each. Thread-safe.
class Client {
 public:
  explicit Client(ClientOptions options);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Dynamic.
  [[nodiscard]] Result<Object> get(const GroupVersionKind& kind, const ObjectKey& key, std::stop_token stop = {});
  [[nodiscard]] Result<ObjectList> list(const GroupVersionKind& kind, const ListOptions& options = {},
                                        std::stop_token stop = {});
  // Calls `on_event` on this thread for each event, bookmarks too, until the server ends the watch, `on_event` returns
  // false (both are success), or stop. It is one watch: going on from the last resourceVersion is the caller's, as is
  // listing anew after `expired`; an Informer does both. Events of another kind are logged and skipped. Error:
  // unavailable when 64 MiB wait for an on_event that is too slow.
  [[nodiscard]] Result<void> watch(const GroupVersionKind& kind, const WatchOptions& options,
                                   const std::function<bool(const WatchEvent&)>& on_event, std::stop_token stop = {});
  [[nodiscard]] Result<Object> create(const json::Value& object, const WriteOptions& options = {},
                                      std::stop_token stop = {});
  // Replaces the whole object; with metadata.resourceVersion only if it is still that one.
  [[nodiscard]] Result<Object> replace(const json::Value& object, const WriteOptions& options = {},
                                       std::stop_token stop = {});
  [[nodiscard]] Result<Object> patch(const GroupVersionKind& kind, const ObjectKey& key, const json::Value& merge_patch,
                                     const WriteOptions& options = {}, std::stop_token stop = {});
  [[nodiscard]] Result<Object> patch(const GroupVersionKind& kind, const ObjectKey& key, const json::Patch& patch,
                                     const WriteOptions& options = {}, std::stop_token stop = {});
  // Server-side apply.
  [[nodiscard]] Result<Object> apply(const json::Value& object, const WriteOptions& options = {},
                                     std::stop_token stop = {});
  // Success also when there is no such object; false then.
  [[nodiscard]] Result<bool> remove(const GroupVersionKind& kind, const ObjectKey& key,
                                    const DeleteOptions& options = {}, std::stop_token stop = {});

  // Typed: the same through described structs (object/fields.hpp). create and apply send what the struct holds; update
  // sends the difference between the decoded object and the changed one as a JSON patch that tests the resourceVersion
  // (error: conflict when it is another now), and nothing, but a get, when they are equal.
  template <Described T>
  [[nodiscard]] Result<T> get(const ObjectKey& key, std::stop_token stop = {}) {
    auto object = get(T::type, key, std::move(stop));
    if (!object) return fail(std::move(object.error()));
    return decode<T>(*object);
  }
  // All pages.
  template <Described T>
  [[nodiscard]] Result<std::vector<T>> list(const ListOptions& options = {}, std::stop_token stop = {}) {
    std::vector<T> items;
    ListOptions page = options;
    do {
      auto found = list(T::type, page, stop);
      if (!found) return fail(std::move(found.error()));
      for (const Object& object : found->items) {
        auto item = decode<T>(object);
        if (!item) return fail(std::move(item.error()));
        items.push_back(std::move(*item));
      }
      page.continue_ = std::move(found->continue_);
      page.resource_version.clear();  // the token holds it, and a server refuses both
      page.resource_version_match.clear();
    } while (!page.continue_.empty());
    return items;
  }
  // Without bookmarks. Ends with the error of an object that cannot be decoded.
  template <Described T>
  [[nodiscard]] Result<void> watch(const WatchOptions& options,
                                   const std::function<bool(const TypedWatchEvent<T>&)>& on_event,
                                   std::stop_token stop = {}) {
    Result<void> decoded;
    const auto take = [&](const WatchEvent& event) {
      if (event.type == WatchEventType::bookmark) return true;
      auto object = decode<T>(event.object);
      if (object) return on_event({event.type, std::move(*object)});
      decoded = fail(std::move(object.error()));
      return false;
    };
    auto ended = watch(T::type, options, take, std::move(stop));
    return decoded ? ended : decoded;
  }
  template <Described T>
  [[nodiscard]] Result<T> create(const T& object, const WriteOptions& options = {}, std::stop_token stop = {}) {
    return decoded<T>(create(encode(object), options, std::move(stop)));
  }
  template <Described T>
  [[nodiscard]] Result<T> apply(const T& object, const WriteOptions& options = {}, std::stop_token stop = {}) {
    return decoded<T>(apply(encode_for_apply(object), options, std::move(stop)));
  }
  template <Described T>
  [[nodiscard]] Result<T> update(const T& before, const T& after, const WriteOptions& options = {},
                                 std::stop_token stop = {}) {
    return decoded<T>(send_changes(T::type, before.metadata.key(), changes(before, after), options, std::move(stop)));
  }

  // How a kind is reached: asked of the server once, and again when a kind is not there. Error: unsupported, "the
  // server does not have greetings.demo.pintle.dev/v1", when it is missing.
  [[nodiscard]] Result<Resource> resource(const GroupVersionKind& kind, std::stop_token stop = {});
  // Forgets what discovery said of a group and version; after installing a CRD.
  void forget(const GroupVersionKind& kind);

  // For the cache, which does its own I/O: requests ready to start on transport(). The authorization is as of now.
  [[nodiscard]] http::Request list_request(const Resource& resource, const ListOptions& options) const;
  [[nodiscard]] http::Request watch_request(const Resource& resource, const WatchOptions& options) const;
  // What it tells of such an exchange once the head has come, or with status 0 when none will: counts it, logs the
  // server's warnings, and after a 401 has a token file read again for the next request.
  void observe(const http::Request& request, const http::ResponseHead& head, Duration took);

  // From now on, as long as it exists, the observer is told of every write of objects of this kind, and while it
  // is the only one of the kind it may read the answer (WriteObserver::read).
  void observe_writes(const GroupVersionKind& kind, std::weak_ptr<WriteObserver> observer);
  // Tells all observers but this one (WriteObserver::on_set_back).
  void report_set_back(const WriteObserver& found_by);

  // Any other path of the server, for what has no kind ("/version", "/readyz"). An answer that is not 2xx is an error
  // here too.
  [[nodiscard]] Result<http::Answer> raw(http::Request request, std::stop_token stop = {});

  [[nodiscard]] http::Transport& transport() noexcept;
  [[nodiscard]] const Cluster& cluster() const noexcept;

 private:
  template <class T>
  static Result<T> decoded(Result<Object> object) {
    if (!object) return fail(std::move(object.error()));
    return decode<T>(*object);
  }
  [[nodiscard]] Result<Object> send_changes(const GroupVersionKind& kind, const ObjectKey& key,
                                            const json::Patch& changes, const WriteOptions& options,
                                            std::stop_token stop);

  struct State;
  std::unique_ptr<State> state_;
};

// The Error that an answer stands for: its Status body if it has one, else its HTTP status.
[[nodiscard]] Error error_of(int http_status, const http::Headers& headers, std::string_view body);

}  // namespace pintle
