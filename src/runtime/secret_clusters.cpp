#include "secret_clusters.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <pintle/base/text.hpp>
#include <pintle/http/server_url.hpp>
#include <pintle/object/bytes.hpp>

namespace pintle {
namespace {

Result<Cluster> cluster_in(const Object& secret, std::string_view data_key) {
  const std::string origin = "secret " + secret.key().to_string();
  const json::View data = secret.root().member("data").member(data_key);
  if (!data.is_string()) {
    return fail(ErrorCode::invalid, origin + " has no data \"" + std::string(data_key) + "\" to hold a kubeconfig");
  }
  const auto text = Bytes::from_base64(data.text());
  if (!text) return fail(ErrorCode::invalid, origin + ": data \"" + std::string(data_key) + "\" is not base64");
  return parse_kubeconfig(text->data, origin);
}

// The same cluster, with the same trust and the same credentials, at another address.
Result<Cluster> reached_at(std::string_view server, Cluster cluster) {
  const bool secure = cluster.endpoint->tls;
  const auto url = http::parse_server_url(server, secure);
  const std::string subject = "the server " + in_quotes(server) + " of " + cluster.origin + " ";
  if (!url) return fail(ErrorCode::invalid, subject + url.error().message);
  if (secure && !url->tls) {
    return fail(ErrorCode::invalid, subject +
                                        "must begin with https://, as that of the kubeconfig does: anybody on the "
                                        "way could read the credentials");
  }
  auto endpoint = std::make_shared<http::Endpoint>(*cluster.endpoint);
  endpoint->tls = url->tls;
  endpoint->host = url->host;
  endpoint->port = url->port;
  endpoint->base_path = url->base_path;
  cluster.endpoint = std::move(endpoint);
  return cluster;
}

}  // namespace

Result<std::shared_ptr<Client>> SecretClusters::client_of(const std::string& at, const Object& secret,
                                                          std::string_view data_key, std::string_view server) {
  const Id id{at, secret.key(), std::string(data_key)};
  std::string version =
      std::string(secret.uid()) + "/" + std::string(secret.resource_version()) + "/" + std::string(server);
  {
    const MutexLock lock(mutex_);
    const auto known = kept_.find(id);
    if (known != kept_.end() && known->second.version == version) {
      known->second.used = ++uses_;
      return known->second.client;
    }
  }
  auto cluster = cluster_in(secret, data_key);
  if (cluster && !server.empty()) cluster = reached_at(server, std::move(*cluster));
  if (!cluster) return fail(cluster.error());
  auto client = connect_(*cluster);
  std::shared_ptr<Client> replaced;  // ends outside the lock
  const MutexLock lock(mutex_);
  if (!kept_.contains(id)) make_room();
  Kept& kept = kept_[id];
  replaced = std::exchange(kept.client, client);
  kept.version = std::move(version);
  kept.used = ++uses_;
  return client;
}

void SecretClusters::make_room() {
  if (kept_.size() < most) return;
  kept_.erase(std::min_element(kept_.begin(), kept_.end(),
                               [](const auto& a, const auto& b) { return a.second.used < b.second.used; }));
}

void SecretClusters::forget(const std::string& at, const ObjectKey& secret) {
  const MutexLock lock(mutex_);
  std::erase_if(kept_,
                [&](const auto& one) { return std::get<0>(one.first) == at && std::get<1>(one.first) == secret; });
}

void SecretClusters::clear() {
  const MutexLock lock(mutex_);
  kept_.clear();
}

std::size_t SecretClusters::size() const {
  const MutexLock lock(mutex_);
  return kept_.size();
}

}  // namespace pintle
