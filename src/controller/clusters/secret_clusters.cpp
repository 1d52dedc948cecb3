// SPDX-License-Identifier: Apache-2.0
#include "secret_clusters.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <pintle/base/text.hpp>
#include <pintle/controller/clusters.hpp>
#include <pintle/http/server_url.hpp>
#include <pintle/object/bytes.hpp>

namespace pintle {
namespace {

// Returns the cluster at another address, with the same trusted authority and credentials.
Result<Cluster> reached_at(std::string_view server, Cluster cluster) {
  const bool secure = cluster.endpoint->tls;
  const auto url = http::parse_server_url(server, secure);
  const std::string subject = "the server URL " + quote(server) + " for " + cluster.origin + " ";
  if (!url) return fail(ErrorCode::invalid, subject + url.error().message);
  if (secure && !url->tls) {
    return fail(ErrorCode::invalid, subject +
                                        "must begin with https://, like the URL in the kubeconfig; otherwise the "
                                        "credentials would be sent without encryption");
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

Result<Cluster> cluster_in_secret(const Object& secret, std::string_view data_key, std::optional<WallTime> now) {
  const std::string origin = "secret " + secret.key().to_string();
  const json::View data = secret.root().member("data").member(data_key);
  if (!data.is_string()) {
    return fail(ErrorCode::invalid,
                origin + " has no data key \"" + std::string(data_key) + "\"; store the kubeconfig there");
  }
  const auto text = Bytes::from_base64(data.text());
  if (!text)
    return fail(ErrorCode::invalid, origin + ": the value of data key \"" + std::string(data_key) + "\" is not base64");
  return parse_kubeconfig(text->data, origin, {}, now);
}

Result<std::shared_ptr<Client>> SecretClusters::client_of(const ClientRequest& request) {
  const Object& secret = request.secret;
  const Id id{std::string(request.at), secret.key(), std::string(request.data_key)};
  const std::string version =
      std::string(secret.uid()) + "/" + std::string(secret.resource_version()) + "/" + std::string(request.server);
  {
    const MutexLock lock(mutex_);
    if (auto cached = use(id, version, request.holder)) return cached;
  }
  auto cluster = cluster_in_secret(secret, request.data_key, executor_.wall_now());
  if (cluster && !request.server.empty()) cluster = reached_at(request.server, std::move(*cluster));
  if (!cluster) return fail(cluster.error());
  auto client = connect_(*cluster);
  std::shared_ptr<Client> replaced;  // destroyed after the lock is released
  const MutexLock lock(mutex_);
  // Another worker may have created the client in the meantime.
  if (auto cached = use(id, version, request.holder)) {
    replaced = std::move(client);
    return cached;
  }
  CachedClient& cached = clients_[id];
  replaced = std::exchange(cached.client, client);
  cached.version = version;
  cached.used = ++uses_;
  hold(id, request.holder);
  make_room();
  return client;
}

std::shared_ptr<Client> SecretClusters::use(const Id& id, const std::string& version, std::string_view holder) {
  const auto cached = clients_.find(id);
  if (cached == clients_.end() || cached->second.version != version) return nullptr;
  cached->second.used = ++uses_;
  hold(id, holder);
  return cached->second.client;
}

void SecretClusters::hold(const Id& id, std::string_view holder) {
  if (holder.empty()) return;
  const Holder name{std::get<0>(id), std::string(holder)};
  if (const auto held = held_by_.find(name); held != held_by_.end() && held->second == id) return;
  unhold(name);
  held_by_[name] = id;
  ++clients_[id].holders;
}

bool SecretClusters::unhold(const Holder& holder) {
  const auto held = held_by_.find(holder);
  if (held == held_by_.end()) return false;
  const auto cached = clients_.find(held->second);
  held_by_.erase(held);
  return cached != clients_.end() && --cached->second.holders == 0;
}

void SecretClusters::make_room() {
  const auto is_free = [](const auto& one) { return one.second.holders == 0; };
  if (static_cast<std::size_t>(std::count_if(clients_.begin(), clients_.end(), is_free)) <= max_) return;
  if (!std::exchange(is_warned_, true)) {
    log_.warning(
        "more clusters of Secrets are in use than clients are kept; the least recently used clients are created anew "
        "at their next use; raise ManagerOptions::max_secret_clusters",
        {{"max_secret_clusters", max_}});
  }
  clients_.erase(std::min_element(clients_.begin(), clients_.end(), [&](const auto& a, const auto& b) {
    return std::pair(!is_free(a), a.second.used) < std::pair(!is_free(b), b.second.used);
  }));
}

void SecretClusters::forget(std::string_view at, const ObjectKey& secret) {
  const MutexLock lock(mutex_);
  const auto is_it = [&](const Id& id) { return std::get<0>(id) == at && std::get<1>(id) == secret; };
  std::erase_if(held_by_, [&](const auto& one) { return is_it(one.second); });
  std::erase_if(clients_, [&](const auto& one) { return is_it(one.first); });
}

void SecretClusters::release(std::string_view at, std::string_view holder) {
  const MutexLock lock(mutex_);
  const auto held = held_by_.find({std::string(at), std::string(holder)});
  if (held == held_by_.end()) return;
  const Id id = held->second;
  if (unhold(held->first)) clients_.erase(id);
}

void SecretClusters::clear() {
  const MutexLock lock(mutex_);
  clients_.clear();
  held_by_.clear();
}

std::size_t SecretClusters::size() const {
  const MutexLock lock(mutex_);
  return clients_.size();
}

}  // namespace pintle
