// SPDX-License-Identifier: Apache-2.0
// The state of a Client and the common implementation of its calls.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include <pintle/client/client.hpp>

#include "caller.hpp"
#include "client/discovery/discovery.hpp"
#include "client/intercept/write_observers.hpp"
#include "requests.hpp"
#include "stream_pauses.hpp"

namespace pintle {

inline const GroupVersionKind pod_kind{"v1", "Pod"};

// Identifies the object of a write.
struct Identity {
  GroupVersionKind kind{};
  ObjectKey key{};
};

// One call for an object or for its collection.
struct ObjectCall {
  std::string_view verb{};    // for messages: "get"
  std::string_view method{};  // HTTP method
  GroupVersionKind kind{};
  ObjectKey key{};
  enum class Target { object, collection, list } target = Target::object;
  std::string subresource{};  // of an object
  Query query{};
  std::string_view accept{};  // empty: JSON
  std::string_view content_type{};
  std::string body{};
  Repeatable repeatable = Repeatable::yes;
  std::optional<std::string> only_for{};  // a write: the version that it requires; "": the object must not exist
  std::function<bool(const Object& before)> would_change{};  // a write that requires no version (write_effects.hpp)
  Duration timeout{};                                        // zero: ClientOptions::timeout
};

// Thread-safe.
struct [[gnu::visibility("hidden")]] Client::State {
  explicit State(ClientOptions with);

  // Returns a call that writes an object, or the subresource that the options name. The caller adds the body.
  [[nodiscard]] ObjectCall writing(std::string_view verb, std::string_view method, Identity who,
                                   const WriteOptions& with) const;

  // Discovers the resource, checks the key and sends the request. An error describes the failed operation.
  [[nodiscard]] Result<http::BufferedResponse> perform(ObjectCall call, std::stop_token stop);
  // Performs a write whose response contains the object. Notifies the observers unless it is a dry run.
  [[nodiscard]] Result<Object> write(ObjectCall call, const WriteOptions& with, std::stop_token stop);
  // Performs a call whose response contains the object. If `readers` is set, an observer may parse the response
  // (WriteObservers::read).
  [[nodiscard]] Result<Object> perform_for_object(ObjectCall call, std::stop_token stop,
                                                  const WriteObservers* readers = nullptr);

  [[nodiscard]] Result<Object> send_json_patch(std::string_view verb, Identity who, const json::Patch& patch,
                                               const WriteOptions& with, std::stop_token stop);
  [[nodiscard]] Result<void> watch(const GroupVersionKind& kind, const WatchOptions& with,
                                   const std::function<bool(const WatchEvent&)>& on_event, std::stop_token stop);

  [[nodiscard]] Result<std::string> for_each(const GroupVersionKind& kind, const ListOptions& with,
                                             const std::function<bool(const Object&)>& on_object, std::stop_token stop);
  [[nodiscard]] Result<void> read_log(const ObjectKey& pod, const LogOptions& with,
                                      const std::function<bool(std::string_view)>& on_line, std::stop_token stop);

  // Called after an object of the kind was written or deleted.
  void changed(const GroupVersionKind& kind);

  [[nodiscard]] http::Request list_of(const Resource& resource, const ListOptions& with) const;
  [[nodiscard]] http::Request watch_of(const Resource& resource, const WatchOptions& with) const;
  [[nodiscard]] bool has_protobuf(const Resource& resource) const;  // and the options permit it
  // Returns a request that the user of the client can start. If the token cannot be read, logs an error and omits it.
  [[nodiscard]] http::Request with_credentials(http::Request request) const;

  const ClientOptions options;
  WriteObservers observers;
  StreamPauses stream_pauses;
  Caller caller;
  Discovery discovery;

  // The limit for the time of a call.
  [[nodiscard]] Duration timeout_of(Duration of_call) const {
    return of_call > Duration::zero() ? of_call : options.timeout;
  }

 private:
  [[nodiscard]] Result<http::BufferedResponse> attempt(ObjectCall call, std::stop_token stop);
  // Returns a better error for a 404 that does not mean that the object is missing.
  [[nodiscard]] Error explained(Error error, const GroupVersionKind& kind, std::stop_token stop);
  [[nodiscard]] bool has_lost_subresource(const Error& error, const ObjectCall& call, const Resource& resource,
                                          const std::stop_token& stop);
};

}  // namespace pintle
