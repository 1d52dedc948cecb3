#include "discovery.hpp"

#include <algorithm>
#include <utility>

#include <pintle/base/stop.hpp>

namespace pintle {

namespace {

std::optional<Resource> pick(const std::vector<Resource>& resources, const std::string& kind) {
  const auto found = std::ranges::find(resources, kind, [](const Resource& resource) { return resource.kind.kind; });
  return found == resources.end() ? std::nullopt : std::optional(*found);
}

Error not_served(const GroupVersionKind& kind) {
  const bool is_core = kind.group.empty();
  const std::string name = default_plural(kind.kind) + (is_core ? "" : "." + kind.group) + "/" + kind.version;
  return make_error(ErrorCode::unsupported, "the server does not have " + name + " (kind " + kind.kind + "); " +
                                                (is_core ? "" : "install its CustomResourceDefinition, or ") +
                                                "correct apiVersion and kind");
}

}  // namespace

std::vector<Resource> parse_resource_list(json::View list, std::string_view group, std::string_view version) {
  std::vector<Resource> resources;
  for (const json::View item : list.member("resources").elements()) {
    const std::string_view name = item.member("name").text();
    if (name.empty() || name.find('/') != std::string_view::npos) continue;
    Resource resource{.plural = std::string(name), .namespaced = item.member("namespaced").as_bool().value_or(false)};
    resource.kind.group = group;
    resource.kind.version = version;
    resource.kind.kind = item.member("kind").text();
    for (const json::View verb : item.member("verbs").elements()) resource.verbs.emplace_back(verb.text());
    resources.push_back(std::move(resource));
  }
  for (const json::View item : list.member("resources").elements()) {
    const std::string_view name = item.member("name").text();
    const std::size_t slash = name.find('/');
    if (slash == std::string_view::npos) continue;
    const auto owner = std::ranges::find(resources, name.substr(0, slash), &Resource::plural);
    if (owner != resources.end()) owner->subresources.emplace_back(name.substr(slash + 1));
  }
  return resources;
}

Discovery::Discovery(Executor& executor, Fetch fetch)
    : executor_(executor), fetch_(std::move(fetch)), mutex_(executor), landed_(executor) {}

Result<Resource> Discovery::find(const GroupVersionKind& kind, std::stop_token stop, Duration oldest) {
  if (kind.kind.empty() || kind.version.empty()) {
    return fail(ErrorCode::invalid, "\"" + kind.to_string() + "\" names no kind; set apiVersion and kind");
  }
  if (const Resources resources = cached(kind.api_version(), oldest)) {
    if (auto resource = pick(*resources, kind.kind)) return std::move(*resource);
  }
  auto resources = discover(kind, std::move(stop));
  if (!resources) return fail(std::move(resources.error()));
  if (auto resource = pick(**resources, kind.kind)) return std::move(*resource);
  return not_served(kind);
}

void Discovery::forget(const GroupVersionKind& kind) {
  const MutexLock lock(mutex_);
  cached_.erase(kind.api_version());
  flights_.erase(kind.api_version());
}

Discovery::Resources Discovery::cached(const std::string& api_version, Duration oldest) {
  const Instant now = executor_.now();
  const MutexLock lock(mutex_);
  const auto found = cached_.find(api_version);
  if (found == cached_.end() || now - found->second.at > oldest) return nullptr;
  return found->second.resources;
}

Result<Discovery::Resources> Discovery::discover(const GroupVersionKind& kind, std::stop_token stop) {
  // A thread that must not block cannot wait for the request of another thread, and its own request would fail for all
  // threads that wait for it.
  if (!executor_.may_block()) {
    return fail(ErrorCode::unsupported, "discovery on thread \"" + std::string(executor_.thread_name()) +
                                            "\", which must not block; call it in a reconcile or a task");
  }
  while (true) {
    std::shared_ptr<Flight> flight;
    bool leads = false;
    {
      const MutexLock lock(mutex_);
      std::shared_ptr<Flight>& place = flights_[kind.api_version()];
      leads = place == nullptr;
      if (leads) place = std::make_shared<Flight>();
      flight = place;
    }
    if (leads) return lead(kind, flight, std::move(stop));
    auto response = follow(flight, stop);
    // A stop of the leading thread is not a failure of the server; this thread tries again.
    const bool gave_up = !response && response.error().code == ErrorCode::cancelled;
    if (!gave_up || stop.stop_requested()) return response;
  }
}

Result<Discovery::Resources> Discovery::lead(const GroupVersionKind& kind, const std::shared_ptr<Flight>& flight,
                                             std::stop_token stop) {
  const Instant started = executor_.now();
  auto response = fetch(kind, std::move(stop));
  const MutexLock lock(mutex_);
  flight->response = response;
  const auto place = flights_.find(kind.api_version());
  if (place != flights_.end() && place->second == flight) {
    flights_.erase(place);
    if (response) cached_[kind.api_version()] = {.resources = *response, .at = started};
  }
  landed_.notify_all();
  return response;
}

Result<Discovery::Resources> Discovery::follow(const std::shared_ptr<Flight>& flight, std::stop_token stop) {
  const StopCallback wake(executor_, stop, [this] {
    const MutexLock lock(mutex_);
    landed_.notify_all();
  });
  const MutexLock lock(mutex_);
  while (!flight->response && !stop.stop_requested()) landed_.wait(mutex_);
  if (flight->response) return *flight->response;
  return fail(ErrorCode::cancelled, "stopped while waiting for discovery");
}

Result<Discovery::Resources> Discovery::fetch(const GroupVersionKind& kind, std::stop_token stop) const {
  const std::string target = (kind.group.empty() ? "/api/" : "/apis/") + kind.api_version();
  const auto response = fetch_(target, std::move(stop));
  if (!response && response.error().code == ErrorCode::not_found) return not_served(kind);
  if (!response) return fail(response.error());
  const auto document = json::Document::parse(response->body);
  if (!document || document->root().member("kind") != "APIResourceList") {
    return fail(ErrorCode::unsupported,
                "the response to GET " + target + " is not an APIResourceList; check the address of the API server");
  }
  return std::make_shared<const std::vector<Resource>>(parse_resource_list(document->root(), kind.group, kind.version));
}

}  // namespace pintle
