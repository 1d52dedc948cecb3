// SPDX-License-Identifier: Apache-2.0
// Client: reads and writes the objects of one cluster, as described structs or as plain Objects.
#pragma once

#include <atomic>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/metrics.hpp>
#include <pintle/client/call_options.hpp>
#include <pintle/client/cluster.hpp>
#include <pintle/client/interceptors.hpp>
#include <pintle/client/resource.hpp>
#include <pintle/client/watch_event.hpp>
#include <pintle/http/fwd.hpp>
#include <pintle/json/patch.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

struct ApiCatalog;    ///< client/api_catalog.hpp
class Programs;       ///< base/programs.hpp
class WriteObserver;  ///< client/write_observer.hpp
struct Scale;         ///< client/scale.hpp
struct Table;         ///< client/table.hpp

/// The current credentials of a cluster, with the plugin or provider that renews them; see make_credentials().
class Credentials;

struct ClientOptions {
  std::shared_ptr<http::Transport> transport{};
  Cluster cluster{};
  std::string field_manager = "pintle";
  std::string user_agent = "pintle";
  /// Maximum duration of a call with all retries and the pauses before them. The wait for credentials does not count;
  /// it has limits of its own. A list may take longer: for it, this is the maximum time without data, and no retry
  /// begins later than this time after the start of the call.
  Duration timeout = std::chrono::seconds(30);
  Log log{};
  MetricsRegistry* metrics = nullptr;
  /// Also counts and times requests by verb, kind and subresource (kubernetes_client_*), with one time series for each
  /// combination.
  bool metrics_by_kind = false;
  /// Runs credential plugins. Default: programs of this machine, and no programs in a simulation.
  std::shared_ptr<Programs> programs{};
  std::shared_ptr<Credentials> credentials{};  ///< default: those of this client alone
  /// Informers request lists and watches of built-in kinds as protobuf, which is shorter than JSON and cheaper for both
  /// sides. The objects are the same. False: only JSON, for example if a transport reads the bodies of responses.
  bool protobuf = true;
};

/// Creates credentials that several clients of one cluster share, so that a plugin runs once for all of them: set
/// ClientOptions::credentials of each. Uses `transport`, `cluster`, `log` and `programs`.
[[nodiscard]] PINTLE_EXPORT std::shared_ptr<Credentials> make_credentials(const ClientOptions& options);

/// Every call blocks until the response has arrived, and returns the error `cancelled` if `stop` is requested. A write
/// returns the object as it is on the server after the write. An error contains the code, reason, causes and
/// retry_after of the server's Status and describes the failed operation.
///
/// The client retries a request up to 10 times:
/// - after a 429 with a Retry-After of at most 30 seconds, unless a disruption budget forbids an eviction;
/// - after a 5xx with such a Retry-After, unless the request is a watch or could take effect twice: a create, a JSON
///   patch, remove_all(), a delete or eviction without a uid (a new object may have the same name), and raw() with
///   POST, PATCH or DELETE;
/// - after the error `unreachable`, for at most one second in all, with the same exceptions.
/// A list, a log or a watch is not retried after a part of it has arrived.
///
/// A token file is read again every minute. After a 401 it is read again, too, unless it was read after the request had
/// been sent. If the token differs from the rejected one, the client retries the request once, even if it is not
/// idempotent: a server does not carry out a request that it rejects with 401. The same applies to the credentials from
/// a plugin or an OpenID Connect provider, which are also renewed shortly before they expire. The plugin runs on a
/// thread of its own, one run at a time. After failures it runs after growing pauses of up to 5 minutes (at most 22
/// runs in an hour), and calls fail with the reason meanwhile. If the client certificate or the trusted certificates
/// change, new requests use new connections, and watches end as if the server had ended them. Each warning of the
/// server is logged once. Thread-safe.
class PINTLE_EXPORT Client {
 public:
  explicit Client(ClientOptions options);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// Calls for plain Objects.
  [[nodiscard]] Result<Object> get(const GroupVersionKind& kind, const ObjectKey& key, std::stop_token stop = {});
  [[nodiscard]] Result<Object> get(const GroupVersionKind& kind, const ObjectKey& key, const GetOptions& options,
                                   std::stop_token stop = {});
  /// Returns one page. for_each() reads all pages.
  [[nodiscard]] Result<ObjectList> list(const GroupVersionKind& kind, const ListOptions& options = {},
                                        std::stop_token stop = {});
  /// Reads all pages and calls `on_object` on this thread for each object while the response arrives, so that no page
  /// is ever in memory as a whole. `on_object` ends the list by returning false, which is success. Returns the
  /// resourceVersion of the list, from which a watch can continue; "" if the first page did not end.
  ///
  /// `options.limit` is the size of the pages; 0 means 500. If a resource_version other than "0" is set without
  /// resource_version_match, no limit is sent, because with a limit some servers would return exactly that version.
  ///
  /// If the server drops the version of the list before the last page, the rest is read from a newer version, without
  /// pages. Each object is passed at most once; a watch from the returned version delivers what changed meanwhile.
  /// Errors: those of list(); expired if the version is dropped and the server does not return objects in the order of
  /// their keys; unavailable if `on_object` is so slow that 64 MiB wait for it.
  [[nodiscard]] Result<std::string> for_each(const GroupVersionKind& kind, const ListOptions& options,
                                             const std::function<bool(const Object&)>& on_object,
                                             std::stop_token stop = {});
  /// Returns one page of a list in the columns that the server prints for the kind. Error: unsupported if the server
  /// does not offer them.
  [[nodiscard]] Result<Table> table(const GroupVersionKind& kind, const ListOptions& options = {},
                                    std::stop_token stop = {});
  /// Calls `on_event` on this thread for each event, including bookmarks, until the server ends the watch, `on_event`
  /// returns false (both are success), or `stop` is requested. This is a single watch: the caller must continue from
  /// the last resourceVersion and list again after the error `expired`; an Informer does both. Events of another kind
  /// are logged and skipped. Error: unavailable if `on_event` is so slow that 64 MiB wait for it.
  [[nodiscard]] Result<void> watch(const GroupVersionKind& kind, const WatchOptions& options,
                                   const std::function<bool(const WatchEvent&)>& on_event, std::stop_token stop = {});
  [[nodiscard]] Result<Object> create(const json::Value& object, const WriteOptions& options = {},
                                      std::stop_token stop = {});
  /// Sends `body` to a subresource of an existing object, such as "token" of a ServiceAccount, and returns the
  /// response, which may be of another kind. Error: invalid if options.subresource is empty.
  [[nodiscard]] Result<Object> create(const GroupVersionKind& kind, const ObjectKey& key, const json::Value& body,
                                      const WriteOptions& options, std::stop_token stop = {});
  /// Replaces the whole object. If metadata.resourceVersion is set, the object on the server must have that version.
  [[nodiscard]] Result<Object> replace(const json::Value& object, const WriteOptions& options = {},
                                       std::stop_token stop = {});
  /// The same for a subresource whose body is of another kind, such as "scale".
  [[nodiscard]] Result<Object> replace(const GroupVersionKind& kind, const ObjectKey& key, const json::Value& body,
                                       const WriteOptions& options, std::stop_token stop = {});
  /// Sends a JSON merge patch.
  [[nodiscard]] Result<Object> patch(const GroupVersionKind& kind, const ObjectKey& key, const json::Value& merge_patch,
                                     const WriteOptions& options = {}, std::stop_token stop = {});
  /// Sends a JSON patch. This overload is a template, so that a call with an initializer list selects the overload for
  /// a merge patch.
  template <std::same_as<json::Patch> P>
  [[nodiscard]] Result<Object> patch(const GroupVersionKind& kind, const ObjectKey& key, const P& patch,
                                     const WriteOptions& options = {}, std::stop_token stop = {}) {
    return json_patch(kind, key, patch, options, std::move(stop));
  }
  /// Sends a strategic merge patch, which merges the lists of a built-in kind by key. Error: unsupported for a custom
  /// resource.
  [[nodiscard]] Result<Object> strategic_patch(const GroupVersionKind& kind, const ObjectKey& key,
                                               const json::Value& patch, const WriteOptions& options = {},
                                               std::stop_token stop = {});
  /// Server-side apply.
  [[nodiscard]] Result<Object> apply(const json::Value& object, const WriteOptions& options = {},
                                     std::stop_token stop = {});
  /// The same for a subresource whose body is of another kind, such as "scale".
  [[nodiscard]] Result<Object> apply(const GroupVersionKind& kind, const ObjectKey& key, const json::Value& body,
                                     const WriteOptions& options, std::stop_token stop = {});
  /// Returns false, without an error, if no such object exists.
  [[nodiscard]] Result<bool> remove(const GroupVersionKind& kind, const ObjectKey& key,
                                    const DeleteOptions& options = {}, std::stop_token stop = {});
  /// Deletes all objects of the selection; without selectors, all in the namespace. An error can occur after some of
  /// them were deleted. If `options` contains a uid or a resource_version, every selected object must have it.
  [[nodiscard]] Result<void> remove_all(const GroupVersionKind& kind, const Selection& selection,
                                        const DeleteOptions& options = {}, std::stop_token stop = {});

  /// The replicas of any kind with a scale subresource. If the metadata of the scale contains a resourceVersion,
  /// replace_scale() requires that the object has it.
  [[nodiscard]] Result<Scale> get_scale(const GroupVersionKind& kind, const ObjectKey& key, std::stop_token stop = {});
  [[nodiscard]] Result<Scale> replace_scale(const GroupVersionKind& kind, const Scale& scale,
                                            const WriteOptions& options = {}, std::stop_token stop = {});
  [[nodiscard]] Result<Scale> set_replicas(const GroupVersionKind& kind, const ObjectKey& key, std::int32_t replicas,
                                           const WriteOptions& options = {}, std::stop_token stop = {});
  /// Deletes a Pod unless a disruption budget forbids it (policy/v1 Eviction). Returns false if no such Pod exists.
  /// Error: too_many_requests with the causes of the budget and retry_after, which is 5 seconds if the server requests
  /// no delay.
  [[nodiscard]] Result<bool> evict(const ObjectKey& pod, const DeleteOptions& options = {}, std::stop_token stop = {});
  /// Reads the log of a container of a Pod and calls `on_line` on this thread for each line, without its line break,
  /// until the log ends, `on_line` returns false (both are success), or `stop` is requested. A line of more than
  /// 64 KiB is passed in pieces. Error: unavailable if `on_line` is so slow that 64 MiB wait for it.
  [[nodiscard]] Result<void> read_log(const ObjectKey& pod, const LogOptions& options,
                                      const std::function<bool(std::string_view)>& on_line, std::stop_token stop = {});

  /// The same calls for described structs (object/fields.hpp). create() and apply() send the content of the struct.
  /// update() sends the difference of `before` and `after` as a JSON patch for the object from which `before` was
  /// decoded; the patch tests the resourceVersion of `before`. Error: conflict if the object has another version now.
  /// If both structs are equal, update() only reads the object.
  template <Described T>
  [[nodiscard]] Result<T> get(const ObjectKey& key, std::stop_token stop = {}) {
    return get<T>(key, GetOptions{}, std::move(stop));
  }
  template <Described T>
  [[nodiscard]] Result<T> get(const ObjectKey& key, const GetOptions& options, std::stop_token stop = {}) {
    return decoded<T>(get(T::type, key, options, std::move(stop)));
  }
  /// Reads all pages, as for_each().
  template <Described T>
  [[nodiscard]] Result<std::vector<T>> list(const ListOptions& options = {}, std::stop_token stop = {}) {
    std::vector<T> items;
    const auto take = [&](T item) {
      items.push_back(std::move(item));
      return true;
    };
    auto read = for_each<T>(options, take, std::move(stop));
    if (!read) return fail(std::move(read.error()));
    return items;
  }
  /// If an object cannot be decoded, ends with that error.
  template <Described T>
  [[nodiscard]] Result<std::string> for_each(const ListOptions& options, const std::function<bool(T)>& on_object,
                                             std::stop_token stop = {}) {
    Result<void> decoded;
    const auto take = [&](const Object& object) {
      auto item = decode<T>(object);
      if (item) return on_object(std::move(*item));
      decoded = fail(std::move(item.error()));
      return false;
    };
    auto read = for_each(T::type, options, take, std::move(stop));
    if (!decoded) return fail(std::move(decoded.error()));
    return read;
  }
  /// Does not pass on bookmarks. If an object cannot be decoded, ends with that error.
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

  /// Returns the Resource of a kind, which is discovered at the first call. For a kind that the server did not have,
  /// each further call discovers again: the first five calls immediately, later ones at most every 10 seconds. Error:
  /// unsupported, "the server does not have greetings.demo.pintle.dev/v1", if the server does not serve the kind.
  [[nodiscard]] Result<Resource> resource(const GroupVersionKind& kind, std::stop_token stop = {});
  /// Returns the Resource with a name as kubectl accepts it: "deploy", "deployments.apps", "deployments.v1.apps" (see
  /// ApiCatalog::find()). If no resource has the name, all resources are discovered again, at most as
  /// often as by resource().
  [[nodiscard]] Result<Resource> find_resource(const std::string& name, std::stop_token stop = {});
  /// Returns all resources of the server, as they were at most 10 minutes ago. An API that fails does not fail the call
  /// (ApiCatalog::unavailable).
  [[nodiscard]] Result<std::shared_ptr<const ApiCatalog>> catalog(std::stop_token stop = {});
  /// Drops the discovered resources of the group and version of a kind, and the catalog. A write of a
  /// CustomResourceDefinition or an APIService by this client drops all of them. Call it after another program
  /// installed a CRD.
  void invalidate_discovery(const GroupVersionKind& kind);

  /// These functions return requests for the cache, which does its own I/O. The requests must be started on
  /// transport(). They contain the current credentials; if a plugin must run first, the request is sent after the
  /// plugin has ended, without blocking the caller.
  [[nodiscard]] http::Request list_request(const Resource& resource, const ListOptions& options) const;
  [[nodiscard]] http::Request watch_request(const Resource& resource, const WatchOptions& options) const;
  /// The cache calls this for each such exchange when the head has arrived, or with status 0 if no head will arrive.
  /// Counts the exchange and logs the warnings of the server. After a 401, the next request reads the token file again,
  /// unless it was read after this exchange had begun.
  void record_exchange(const http::Request& request, const http::ResponseHead& head, Duration took);

  /// Registers an observer of all writes of objects of this kind, until the observer is destroyed. If it is the only
  /// observer of the kind, it can also parse the responses (WriteObserver::read). With an empty kind, it observes the
  /// writes of all kinds, but neither parses responses nor is called for pending creates; `before` of
  /// WriteObserver::on_removed() then has the kind and the key at least. A second registration has no effect.
  void add_write_observer(const GroupVersionKind& kind, std::weak_ptr<WriteObserver> observer);
  /// Calls WriteObserver::on_rewind() on all other observers of this client.
  void report_rewind(const WriteObserver& found_by);
  /// The time before which no cache of this client requests a streaming list of the kind, because the server has shown
  /// that it does not support them. All caches of the kind share it, see ReflectorOptions::stream_pause.
  [[nodiscard]] std::shared_ptr<std::atomic<Instant>> stream_pause(const GroupVersionKind& kind);

  /// Sends a request for a path without a kind, such as "/version" or "/readyz". A status other than 2xx is an error.
  [[nodiscard]] Result<http::BufferedResponse> raw(http::Request request, std::stop_token stop = {});

  /// Returns another client of the same cluster, all of whose requests pass through `interceptor`, and then through the
  /// interceptors of this client. It discovers kinds by itself, so keep it for several calls.
  [[nodiscard]] std::unique_ptr<Client> intercepted(RequestInterceptor interceptor) const;

  [[nodiscard]] http::Transport& transport() noexcept;
  [[nodiscard]] const Cluster& cluster() const noexcept;

 private:
  Result<Object> json_patch(const GroupVersionKind& kind, const ObjectKey& key, const json::Patch& patch,
                            const WriteOptions& options, std::stop_token stop);

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

/// Converts an unsuccessful response into an Error: from the Status in its body, or from the HTTP status if there is
/// none.
[[nodiscard]] PINTLE_EXPORT Error error_from_response(int http_status, const http::Headers& headers,
                                                      std::string_view body);

}  // namespace pintle
