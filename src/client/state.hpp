// What a Client holds, and the one way in which each of its calls goes.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include <pintle/client/client.hpp>

#include "caller.hpp"
#include "discovery.hpp"
#include "requests.hpp"
#include "write_observers.hpp"

namespace pintle {

// Which object a write is about.
struct Identity {
  GroupVersionKind kind{};
  ObjectKey key{};
};

// One call on an object, or on the collection it is in.
struct ObjectCall {
  std::string_view verb{};    // for messages: "get"
  std::string_view method{};  // of HTTP
  GroupVersionKind kind{};
  ObjectKey key{};
  enum class Target { object, status, collection, list } target = Target::object;
  Query query{};
  std::string_view accept{};  // empty: JSON
  std::string_view content_type{};
  std::string body{};
  Repeatable repeatable = Repeatable::yes;
  std::optional<std::string> only_for{};  // of a write: the version it is for alone; "" for none yet
  const json::Value* intent = nullptr;    // of a merge patch or an apply: what the body says
};

// Thread-safe.
struct Client::State {
  explicit State(ClientOptions with);

  // A write of an object, or of its status, as the options say; what it sends is still to be filled in.
  [[nodiscard]] ObjectCall writing(std::string_view verb, std::string_view method, Identity who,
                                   const WriteOptions& with) const;

  // Discovers, checks the key, sends. The error says what was being done.
  [[nodiscard]] Result<http::Answer> perform(ObjectCall call, std::stop_token stop);
  // A write that is answered with the object; observers are told unless it is a dry run.
  [[nodiscard]] Result<Object> write(ObjectCall call, const WriteOptions& with, std::stop_token stop);
  // A call that is answered with the object, which one of those who are `told` may read for itself.
  [[nodiscard]] Result<Object> perform_for_object(ObjectCall call, std::stop_token stop,
                                                  const WriteObservers* told = nullptr);

  [[nodiscard]] Result<Object> send_json_patch(std::string_view verb, Identity who, const json::Patch& patch,
                                               const WriteOptions& with, std::stop_token stop);
  [[nodiscard]] Result<void> watch(const GroupVersionKind& kind, const WatchOptions& with,
                                   const std::function<bool(const WatchEvent&)>& on_event, std::stop_token stop);

  [[nodiscard]] http::Request watch_of(const Resource& resource, const WatchOptions& with) const;
  // Ready to be started by somebody else; without a token, which is logged, when there should be one but is not.
  [[nodiscard]] http::Request with_credentials(http::Request request) const;

  const ClientOptions options;
  WriteObservers observers;
  Caller caller;
  Discovery discovery;

 private:
  [[nodiscard]] Result<http::Answer> attempt(ObjectCall call, std::stop_token stop);
};

}  // namespace pintle
