// SPDX-License-Identifier: Apache-2.0
#include "load_manifests.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <pintle/base/file.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/json/value.hpp>

namespace pintle::tools {
namespace {

using json::Value;

constexpr std::string_view definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr Duration until_served = std::chrono::seconds(10);  // of the definitions
constexpr Duration between_attempts = std::chrono::milliseconds(5);

struct Manifest {
  std::string file{};
  Value object{};
};

std::string text_of(const Value& value, std::string_view pointer) {
  const Value* found = json::find(value, pointer);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
}

// The place of a kind in the order of application.
int rank_of(const Manifest& manifest) {
  const std::string kind = text_of(manifest.object, "/kind");
  if (kind == "CustomResourceDefinition") return 0;
  if (kind == "Namespace") return 1;
  return kind.ends_with("WebhookConfiguration") ? 3 : 2;
}

class Loader {
 public:
  Loader(ApiServer& api, Executor& executor) : api_(api), executor_(executor) {}

  Result<void> run(const std::string& folder) {
    read_folder(folder);
    std::stable_sort(manifests_.begin(), manifests_.end(),
                     [](const Manifest& a, const Manifest& b) { return rank_of(a) < rank_of(b); });
    bool waits_for_definitions = true;
    for (const Manifest& manifest : manifests_) {
      if (waits_for_definitions && rank_of(manifest) > 0) {
        wait_for_definitions();
        waits_for_definitions = false;
      }
      apply(manifest);
    }
    if (waits_for_definitions) wait_for_definitions();
    if (causes_.empty()) return {};
    Error error = make_error(ErrorCode::invalid, fmt::format("{} manifests were not applied", causes_.size()));
    error.causes = std::move(causes_);
    return fail(std::move(error));
  }

 private:
  void report(const std::string& file, std::string message) {
    causes_.push_back({.message = std::move(message), .field = file});
  }

  void read_folder(const std::string& folder) {
    std::vector<std::string> files;
    std::error_code error;
    for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      const std::string ending = it->path().extension();
      if (ending == ".yaml" || ending == ".yml" || ending == ".json") files.push_back(it->path().string());
    }
    if (error) return report(folder, error.message());
    std::sort(files.begin(), files.end());
    for (const std::string& file : files) read_manifests(file);
  }

  void read_manifests(const std::string& file) {
    auto text = read_file(file);
    if (!text) return report(file, text.error().message);
    auto documents = json::parse_yaml_stream(*text);
    if (!documents) return report(file, documents.error().message);
    for (Value& document : *documents) add(file, std::move(document));
  }

  // The elements of a List are manifests of their own.
  void add(const std::string& file, Value document) {
    if (document.is_null()) return;
    Value* const items = json::find(document, "/items");
    if (items != nullptr && items->is_array() && text_of(document, "/kind").ends_with("List")) {
      for (Value& item : items->get_array()) add(file, std::move(item));
      return;
    }
    manifests_.push_back({.file = file, .object = std::move(document)});
  }

  void apply(const Manifest& manifest) {
    const std::string api_version = text_of(manifest.object, "/apiVersion");
    const std::string kind = text_of(manifest.object, "/kind");
    const std::string name = text_of(manifest.object, "/metadata/name");
    if (api_version.empty() || kind.empty() || name.empty()) {
      return report(manifest.file, "an object has no apiVersion, kind or metadata.name");
    }
    const auto place = place_of(api_version, kind);
    if (!place) return report(manifest.file, fmt::format("{} {}: the server has no such kind", api_version, kind));
    std::string target = path_of(api_version);
    if (place->namespaced) {
      const std::string space = text_of(manifest.object, "/metadata/namespace");
      target += "/namespaces/" + (space.empty() ? "default" : http::percent_encode(space));
    }
    target += "/" + place->plural + "/" + http::percent_encode(name) + "?fieldManager=pintle-load&force=true";
    const http::Response response = send("PATCH", target, json::print(manifest.object));
    if (response.status >= 300) {
      report(manifest.file, fmt::format("{} {}: {}", kind, name, message_of(response)));
    }
  }

  static std::string path_of(const std::string& api_version) {
    return (api_version.find('/') == std::string::npos ? "/api/" : "/apis/") + api_version;
  }

  static std::string message_of(const http::Response& response) {
    const auto status = json::parse(response.body);
    return status ? text_of(*status, "/message") : fmt::format("status {}", response.status);
  }

  struct Place {
    std::string plural{};
    bool namespaced = false;
  };
  // Finds the path of a kind by discovery.
  std::optional<Place> place_of(const std::string& api_version, const std::string& kind) {
    const auto known = places_.find({api_version, kind});
    if (known != places_.end()) return known->second;
    const auto list = json::parse(send("GET", path_of(api_version)).body);
    const Value* const resources = list ? json::find(*list, "/resources") : nullptr;
    if (resources == nullptr || !resources->is_array()) return std::nullopt;
    for (const Value& resource : resources->get_array()) {
      std::string plural = text_of(resource, "/name");
      if (text_of(resource, "/kind") != kind || plural.find('/') != std::string::npos) continue;
      const Value* const namespaced = json::find(resource, "/namespaced");
      return places_[{api_version, kind}] = {.plural = std::move(plural),
                                             .namespaced = namespaced != nullptr && *namespaced == true};
    }
    return std::nullopt;
  }

  void wait_for_definitions() {
    const Instant deadline = executor_.now() + until_served;
    for (const Manifest& manifest : manifests_) {
      if (rank_of(manifest) > 0) return;
      const std::string name = text_of(manifest.object, "/metadata/name");
      std::string state;
      while ((state = state_of_definition(name)).empty() && executor_.now() < deadline) {
        executor_.sleep_for(between_attempts);
      }
      if (state != "True") report(manifest.file, fmt::format("CustomResourceDefinition {}: it is not served", name));
    }
  }

  // The status of its condition Established; "": not yet decided.
  std::string state_of_definition(const std::string& name) {
    const http::Response response = send("GET", std::string(definitions) + "/" + http::percent_encode(name));
    if (response.status >= 300) return "False";
    const auto definition = json::parse(response.body);
    const Value* const conditions = definition ? json::find(*definition, "/status/conditions") : nullptr;
    if (conditions == nullptr || !conditions->is_array()) return "";
    for (const Value& condition : conditions->get_array()) {
      if (text_of(condition, "/type") == "Established") return text_of(condition, "/status");
    }
    return "";
  }

  http::Response send(std::string method, std::string target, std::string body = {}) {
    http::Request request{.method = std::move(method), .target = std::move(target), .body = std::move(body)};
    request.headers.set("User-Agent", "pintle-load");
    if (!request.body.empty()) request.headers.set("Content-Type", "application/apply-patch+yaml");
    request.peer = admin_;
    while (true) {
      http::Response response = api_.handle(request);
      if (response.deferred) response = response.deferred();
      http::read_full_body(response);
      if (response.status != 429) return response;
      executor_.sleep_for(between_attempts);  // the limit of requests per second
    }
  }

  ApiServer& api_;
  Executor& executor_;
  const std::shared_ptr<const http::CertificateSubject> admin_ = std::make_shared<const http::CertificateSubject>(
      http::CertificateSubject{.common_name = "pintle", .organizations = {"system:masters"}});
  std::vector<Manifest> manifests_;
  std::map<std::pair<std::string, std::string>, Place> places_;
  std::vector<StatusCause> causes_;
};

}  // namespace

Result<void> load_manifests(ApiServer& api, Executor& executor, const std::string& folder) {
  return Loader(api, executor).run(folder);
}

}  // namespace pintle::tools
