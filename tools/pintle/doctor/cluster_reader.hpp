// SPDX-License-Identifier: Apache-2.0
// ClusterReader: the reads of all checks, each limited in size and time.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <pintle/client/client.hpp>
#include <pintle/http/transport.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/object.hpp>

namespace pintle::doctor {

inline constexpr Duration request_timeout = std::chrono::seconds(10);
inline constexpr std::string_view time_is_over = "DoctorTimeout";  // Error::reason

inline constexpr Type crd_type{"apiextensions.k8s.io/v1", "CustomResourceDefinition"};
inline constexpr Type deployment_type{"apps/v1", "Deployment"};
inline constexpr Type pod_type{"v1", "Pod"};
inline constexpr Type namespace_type{"v1", "Namespace"};

struct Listing {
  std::vector<Object> objects{};
  bool is_cut = false;  // there are more objects than the limit
};

struct ServerFacts {
  std::string version{};  // "v1.36.2"
  std::string major{};
  std::string minor{};
  std::optional<Duration> ahead{};  // of the clock of this machine; none without a Date header
};

// Sends only reads, and access reviews, which store nothing. After a stop request, every read returns an error with
// the reason time_is_over. Not thread-safe, except count_changes().
class ClusterReader {
 public:
  // `max_objects` is the limit of one list.
  ClusterReader(Client& client, std::size_t max_objects, std::stop_token stop)
      : client_(client), max_objects_(max_objects), stop_(std::move(stop)) {}

  // Each selection is read once. The reference is valid as long as this object.
  [[nodiscard]] const Result<Listing>& list(const GroupVersionKind& kind, const Selection& selection = {});
  [[nodiscard]] Result<Object> get(const GroupVersionKind& kind, const ObjectKey& key);
  // The response to /version, requested once.
  [[nodiscard]] const Result<ServerFacts>& server();
  // Creates a review of authorization.k8s.io/v1. Returns status.allowed.
  [[nodiscard]] Result<bool> review(const std::string& kind, const json::Value& spec);

  struct Changes {
    std::map<ObjectKey, std::pair<int, Object>> by_key{};  // number of changes, and the last state (metadata only)
  };
  // Watches a kind for this time. Error: that of the list or watch. Thread-safe.
  [[nodiscard]] Result<Changes> count_changes(const GroupVersionKind& kind, std::chrono::seconds time);

  // The time of the server, as far as it is known.
  [[nodiscard]] WallTime now();
  [[nodiscard]] Executor& executor() noexcept { return client_.transport().executor(); }
  [[nodiscard]] Client& client() noexcept { return client_; }

 private:
  [[nodiscard]] Error readable(Error error) const;
  [[nodiscard]] Result<ServerFacts> read_server();

  Client& client_;
  const std::size_t max_objects_;
  const std::stop_token stop_;
  std::map<std::tuple<GroupVersionKind, std::string, std::string>, Result<Listing>> listings_;
  std::optional<Result<ServerFacts>> server_;
};

// Parses the header Date: "Sun, 06 Nov 1994 08:49:37 GMT". None for another text.
[[nodiscard]] std::optional<WallTime> parse_date_header(std::string_view text);

}  // namespace pintle::doctor
