// SPDX-License-Identifier: Apache-2.0
// WebhookClient: sends reviews to webhooks.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include <pintle/base/executor.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/base/result.hpp>
#include <pintle/base/time.hpp>
#include <pintle/http/transport.hpp>
#include <pintle/json/value.hpp>

#include "apiserver/storage/storage.hpp"
#include "webhook_target.hpp"

namespace pintle::apiserver {

// The type of a review: "admission.k8s.io", "v1" and "AdmissionReview".
struct ReviewType {
  std::string_view group{};
  std::string_view version{};
  std::string_view kind{};

  [[nodiscard]] std::string api_version() const { return std::string(group) + "/" + std::string(version); }
};

struct WebhookClientOptions {
  std::shared_ptr<http::Transport> transport{};  // null: every call fails
  // The URLs of services: "NAME.NAMESPACE" or "NAME.NAMESPACE:PORT" to "https://host:port". A service that is not in
  // the table cannot be called.
  std::map<std::string, std::string> services{};
  std::function<std::optional<std::string>(std::string_view service)> find_service{};  // for other services
};

// The beginning of the message of an error for which no call was possible.
inline constexpr std::string_view no_client = "could not get REST client:";

// Calls to one target share the connections of the transport. Thread-safe.
class WebhookClient {
 public:
  WebhookClient(Executor& executor, const Storage& storage, WebhookClientOptions options)
      : storage_(storage), options_(std::move(options)), mutex_(executor), changed_(executor) {}
  ~WebhookClient() { stop(); }
  WebhookClient(const WebhookClient&) = delete;
  WebhookClient& operator=(const WebhookClient&) = delete;

  // A call without its review.
  struct Call {
    const WebhookTarget& target;
    ReviewType type{};
    Duration timeout{};
  };

  // Sends a review and waits for the response, which has the type of the review or no type. The messages of errors are
  // those of kube-apiserver after "failed to call webhook: ", or begin with `no_client`.
  [[nodiscard]] Result<json::Value> call(const Call& call, const json::Value& review) const;

  // Sends a review and passes the response to `done`, on the I/O thread or, on an error before the request is sent, on
  // this thread. `done` must not block.
  void start(const Call& call, const json::Value& review, std::function<void(Result<json::Value>)> done);

  // Ends all calls with an error, also later ones, and waits until no `done` runs. Idempotent.
  void stop();

 private:
  [[nodiscard]] Result<http::Request> request(const Call& call, const json::Value& review) const;
  [[nodiscard]] std::optional<std::string> address_of(const WebhookTarget& target) const;
  [[nodiscard]] Result<http::Endpoint> endpoint(const WebhookTarget& target, std::string_view url) const;

  const Storage& storage_;
  const WebhookClientOptions options_;
  std::stop_source stop_;
  Mutex mutex_;
  CondVar changed_;
  std::uint64_t next_ PINTLE_GUARDED_BY(mutex_) = 1;
  // The started calls by number; the exchange is known shortly after the start.
  std::map<std::uint64_t, std::optional<http::Transport::ExchangeId>> open_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle::apiserver
