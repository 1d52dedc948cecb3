// SPDX-License-Identifier: Apache-2.0
#include <pintle/sim/in_process_network.hpp>

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/mutex.hpp>
#include <pintle/http/listen_address.hpp>
#include <pintle/http/pem.hpp>
#include <pintle/http/server_url.hpp>
#include <pintle/sim/in_process_transport.hpp>

#include "http/certificate_info.hpp"
#include "http/exchange.hpp"

namespace pintle::http {
namespace {

constexpr std::uint16_t first_port = 20'000;
constexpr int bits_of_exchange = 40;  // of an ExchangeId; the number of the server is above them

// A certificate that was verified at `begin` is trusted until the first certificate of both texts expires.
struct Verification {
  std::string certificate{};
  std::string ca{};
  std::string name{};
  WallTime begin{};
  WallTime end{};

  bool covers(const std::string& of, const Endpoint& endpoint, const std::string& host, WallTime now) const {
    return begin <= now && now <= end && certificate == of && ca == endpoint.ca && name == host;
  }
};

WallTime first_end(std::string_view pem) {
  const auto all = validate_certificates({"", pem});
  WallTime first = all ? WallTime::max() : WallTime::min();
  if (all) {
    for (const Validity& one : *all) first = std::min(first, one.not_after);
  }
  return first;
}

// A server at an address.
struct Site {
  Site(Executor& executor, Handler& handler, FaultPlan faults)
      : mutex(executor), transport(executor, handler, std::move(faults)) {}

  KeyPair identity() const {
    const MutexLock lock(mutex);
    return pair;
  }
  Result<void> set_identity(const KeyPair& identity) {
    if (auto valid = validate_key_pair({"the certificate", identity.certificate}, {"the key", identity.key}); !valid) {
      return fail(std::move(valid.error()));
    }
    const MutexLock lock(mutex);
    pair = identity;
    return {};
  }

  std::uint64_t number = 0;
  std::string url{};
  std::string host{};
  std::string service{};
  std::function<bool()> is_ready{};
  std::atomic<bool> is_draining = false;
  mutable Mutex mutex;
  KeyPair pair PINTLE_GUARDED_BY(mutex);
  std::optional<Verification> verified PINTLE_GUARDED_BY(mutex);  // the last one that succeeded
  InProcessTransport transport;
};
using SitePtr = std::shared_ptr<Site>;

class Unserved final : public Handler {
 public:
  Response handle(const Request& /*request*/) override { return {.status = 0}; }
};

}  // namespace

class InProcessNetwork::Servers {
 public:
  explicit Servers(Executor& executor) : mutex_(executor) {}

  Result<std::string> add(const SitePtr& site, const Place& place, const ServerOptions& options) {
    auto address = parse_listen_address(options.listen);
    if (!address) return fail(std::move(address.error()));
    if (address->host.empty() || address->host == "0.0.0.0" || address->host == "::") address->host = place.host;
    const MutexLock lock(mutex_);
    if (address->port == 0) address->port = free_port(address->host);
    const std::string name = join_host_port(address->host, address->port);
    site->number = ++last_number_;
    site->host = address->host;
    site->service = place.service;
    site->is_ready = options.is_ready;
    site->url = (options.certificate.empty() ? "http://" : "https://") + name;
    if (!by_address_.emplace(name, site).second) {
      return fail(ErrorCode::unavailable, fmt::format("cannot listen on {}: the address is in use", name));
    }
    by_number_.emplace(site->number, site);
    return name;
  }
  void remove(const std::string& address, std::uint64_t number) {
    const MutexLock lock(mutex_);
    // After a crash, another server may have the address.
    if (by_number_.erase(number) > 0) by_address_.erase(address);
  }
  SitePtr at(const Endpoint& endpoint) const {
    const MutexLock lock(mutex_);
    const std::string host = endpoint.host == "localhost" ? "127.0.0.1" : endpoint.host;
    const auto found = by_address_.find(join_host_port(host, endpoint.port == 0 ? 443 : endpoint.port));
    return found == by_address_.end() ? nullptr : found->second;
  }
  std::optional<std::string> find_service(std::string_view service, std::uint64_t random) const {
    // With the lock, because `is_ready` must not be called after the server was removed.
    const MutexLock lock(mutex_);
    std::vector<std::string> ready;
    std::vector<std::string> draining;
    for (const auto& [number, site] : by_number_) {
      if (site->service != service) continue;
      if (site->is_draining) {
        draining.push_back(site->url);
      } else if (!site->is_ready || site->is_ready()) {
        ready.push_back(site->url);
      }
    }
    const std::vector<std::string>& urls = ready.empty() ? draining : ready;
    if (urls.empty()) return std::nullopt;
    return urls[random % urls.size()];
  }
  void crash(std::string_view host) {
    const MutexLock lock(mutex_);
    for (const auto& [number, site] : by_number_) {
      if (site->host == host) site->transport.crash();
    }
    std::erase_if(by_address_, [&](const auto& one) { return one.second->host == host; });
    std::erase_if(by_number_, [&](const auto& one) { return one.second->host == host; });
  }
  SitePtr numbered(std::uint64_t number) const {
    const MutexLock lock(mutex_);
    const auto found = by_number_.find(number);
    return found == by_number_.end() ? nullptr : found->second;
  }
  FaultPlan faults() const {
    const MutexLock lock(mutex_);
    return faults_;
  }
  void set_faults(FaultPlan faults) {
    const MutexLock lock(mutex_);
    for (const auto& [number, site] : by_number_) site->transport.set_faults(faults);
    faults_ = std::move(faults);
  }
  std::uint64_t injected_faults() const {
    const MutexLock lock(mutex_);
    std::uint64_t sum = 0;
    for (const auto& [number, site] : by_number_) sum += site->transport.injected_faults();
    return sum;
  }

 private:
  std::uint16_t free_port(const std::string& host) const PINTLE_REQUIRES(mutex_) {
    std::uint16_t port = first_port;
    while (by_address_.contains(join_host_port(host, port))) ++port;
    return port;
  }

  mutable Mutex mutex_;
  std::map<std::string, SitePtr> by_address_ PINTLE_GUARDED_BY(mutex_);
  std::map<std::uint64_t, SitePtr> by_number_ PINTLE_GUARDED_BY(mutex_);
  FaultPlan faults_ PINTLE_GUARDED_BY(mutex_);
  std::uint64_t last_number_ PINTLE_GUARDED_BY(mutex_) = 0;
};

// Checks the connection and passes the exchange to the transport of the server.
class InProcessNetwork::Link final : public ForwardingTransport {
 public:
  Link(Executor& executor, std::shared_ptr<Servers> servers, std::shared_ptr<Handler> unserved)
      : ForwardingTransport(std::make_shared<InProcessTransport>(executor, *unserved)),
        servers_(std::move(servers)),
        unserved_(std::move(unserved)) {}
  ~Link() override { stop(); }

  ExchangeId start(Request request, std::shared_ptr<ExchangeHandler> handler) override {
    if (is_stopped_) {
      handler->on_end(fail(cancelled(request)));
      return 0;
    }
    auto site = connect(request);
    if (!site) {
      // Ends as an exchange, so it has an id and ends at a stop, too.
      request.before_send = [error = std::move(site.error())] { return Result<void>(fail(error)); };
      return ForwardingTransport::start(std::move(request), std::move(handler));
    }
    return ((*site)->number << bits_of_exchange) | (*site)->transport.start(std::move(request), std::move(handler));
  }

  void cancel(ExchangeId exchange) override {
    if (exchange >> bits_of_exchange == 0) return ForwardingTransport::cancel(exchange);  // without a server
    if (const SitePtr site = servers_->numbered(exchange >> bits_of_exchange)) {
      site->transport.cancel(exchange & ((ExchangeId{1} << bits_of_exchange) - 1));
    }
  }

  void stop() override {
    is_stopped_ = true;
    ForwardingTransport::stop();
  }

 private:
  Result<SitePtr> connect(const Request& request) {
    const Endpoint& endpoint = *request.endpoint;
    SitePtr site = servers_->at(endpoint);
    if (site == nullptr) {
      return fail(ErrorCode::unreachable,
                  describe(request) + ": connection refused: nothing listens at this address of the network");
    }
    if (!endpoint.tls || endpoint.insecure) return site;
    const auto verified = verify(*site, endpoint);
    if (verified) return site;
    Error error = make_error(ErrorCode::unreachable, describe(request) + ": " + verified.error().message);
    error.reason = untrusted_certificate;
    return fail(std::move(error));
  }

  // Verification is slow, and most requests repeat the last one.
  Result<void> verify(Site& site, const Endpoint& endpoint) {
    const std::string certificate = site.identity().certificate;
    const std::string& name = endpoint.server_name.empty() ? endpoint.host : endpoint.server_name;
    const WallTime now = executor().wall_now();
    {
      const MutexLock lock(site.mutex);
      if (site.verified && site.verified->covers(certificate, endpoint, name, now)) return {};
    }
    const PemText served{"the certificate of the server", certificate};
    auto done = endpoint.ca.empty()
                    ? verify_with_system_trust(served, name, now)
                    : verify_server_certificate(served, {"the trusted certificates", endpoint.ca}, name, now);
    if (!done) return done;
    Verification made{.certificate = certificate, .ca = endpoint.ca, .name = name, .begin = now};
    made.end = endpoint.ca.empty() ? first_end(certificate) : std::min(first_end(certificate), first_end(endpoint.ca));
    const MutexLock lock(site.mutex);
    site.verified = std::move(made);
    return {};
  }

  const std::shared_ptr<Servers> servers_;
  const std::shared_ptr<Handler> unserved_;
  std::atomic<bool> is_stopped_ = false;
};

namespace {

// A server in the network. `Servers` is private to it, so the function that removes the server is passed.
class NetworkServer final : public RunningServer {
 public:
  NetworkServer(SitePtr site, std::string url, std::function<void()> remove)
      : site_(std::move(site)), url_(std::move(url)), remove_(std::move(remove)) {}
  ~NetworkServer() override { NetworkServer::stop(); }

  void drain() override { site_->is_draining = true; }
  void stop() override {
    if (is_stopped_.exchange(true)) return;
    remove_();
    site_->transport.stop();
  }
  Result<void> set_key_pair(const KeyPair& identity) override { return site_->set_identity(identity); }
  std::string url() const override { return url_; }

 private:
  const SitePtr site_;
  const std::string url_;
  const std::function<void()> remove_;
  std::atomic<bool> is_stopped_ = false;
};

}  // namespace

InProcessNetwork::InProcessNetwork(Executor& executor)
    : servers_(std::make_shared<Servers>(executor)),
      link_(std::make_shared<Link>(executor, servers_, std::make_shared<Unserved>())) {}

InProcessNetwork::~InProcessNetwork() { link_->stop(); }

std::shared_ptr<Transport> InProcessNetwork::transport() const { return link_; }

ServerFactory InProcessNetwork::server_factory(Place place) {
  return [servers = servers_, place = std::move(place)](
             Executor& executor, Handler& handler,
             const ServerOptions& options) -> Result<std::unique_ptr<RunningServer>> {
    auto site = std::make_shared<Site>(executor, handler, servers->faults());
    if (!options.certificate.empty()) {
      if (auto set = site->set_identity({options.certificate, options.key}); !set) return fail(std::move(set.error()));
    }
    auto address = servers->add(site, place, options);
    if (!address) return fail(std::move(address.error()));
    auto server = std::make_unique<NetworkServer>(
        site, site->url, [servers, name = *address, number = site->number] { servers->remove(name, number); });
    return std::unique_ptr<RunningServer>(std::move(server));
  };
}

std::optional<std::string> InProcessNetwork::find_service(std::string_view service) const {
  return servers_->find_service(service, link_->executor().random());
}

void InProcessNetwork::crash(std::string_view host) { servers_->crash(host); }

void InProcessNetwork::set_faults(FaultPlan faults) { servers_->set_faults(std::move(faults)); }

std::uint64_t InProcessNetwork::injected_faults() const { return servers_->injected_faults(); }

}  // namespace pintle::http
