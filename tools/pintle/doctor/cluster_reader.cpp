// SPDX-License-Identifier: Apache-2.0
#include <pintle/http/transport.hpp>

#include "doctor/cluster_reader.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

namespace pintle::doctor {

std::optional<WallTime> parse_date_header(std::string_view text) {
  constexpr std::string_view months = "JanFebMarAprMayJunJulAugSepOctNovDec";
  if (text.size() != 29 || !text.ends_with(" GMT")) return std::nullopt;
  const auto month = months.find(text.substr(8, 3));
  if (month == std::string_view::npos || month % 3 != 0) return std::nullopt;
  const auto time = parse_time(
      fmt::format("{}-{:02}-{}T{}Z", text.substr(12, 4), month / 3 + 1, text.substr(5, 2), text.substr(17, 8)));
  return time ? std::optional(*time) : std::nullopt;
}

Error ClusterReader::readable(Error error) const {
  if (stop_.stop_requested()) error.reason = time_is_over;
  return error;
}

const Result<Listing>& ClusterReader::list(const GroupVersionKind& kind, const Selection& selection) {
  const std::tuple key(kind, selection.namespace_, selection.label_selector);
  const auto there = listings_.find(key);
  if (there != listings_.end()) return there->second;
  Listing listing;
  const auto take = [&](const Object& object) {
    listing.is_cut = listing.objects.size() == max_objects_;
    if (!listing.is_cut) listing.objects.push_back(object);
    return !listing.is_cut;
  };
  const auto read = client_.for_each(kind,
                                     {.namespace_ = selection.namespace_,
                                      .label_selector = selection.label_selector,
                                      .limit = 500,
                                      .timeout = request_timeout},
                                     take, stop_);
  auto result = read ? Result<Listing>(std::move(listing)) : Result<Listing>(readable(read.error()));
  return listings_.emplace(key, std::move(result)).first->second;
}

Result<Object> ClusterReader::get(const GroupVersionKind& kind, const ObjectKey& key) {
  auto read = client_.get(kind, key, {.timeout = request_timeout}, stop_);
  if (!read) return pintle::fail(readable(std::move(read.error())));
  return read;
}

const Result<ServerFacts>& ClusterReader::server() {
  if (!server_) server_ = read_server();
  return *server_;
}

Result<ServerFacts> ClusterReader::read_server() {
  const WallTime before = executor().wall_now();
  const auto response = client_.raw({.target = "/version", .timeout = request_timeout}, stop_);
  const WallTime after = executor().wall_now();
  if (!response) return pintle::fail(readable(response.error()));
  const auto body = json::Document::parse(response->body);
  if (!body || !body->root().member("gitVersion").is_string()) {
    return pintle::fail(ErrorCode::unsupported, "the response to /version is not that of a Kubernetes API server");
  }
  const json::View root = body->root();
  ServerFacts facts{.version = std::string(root.member("gitVersion").text()),
                    .major = std::string(root.member("major").text()),
                    .minor = std::string(root.member("minor").text())};
  const auto header = response->headers.get("Date");
  const auto date = header ? parse_date_header(*header) : std::nullopt;
  // The header has whole seconds, so the time of the server is half a second later on average.
  if (date) facts.ahead = before + (after - before) / 2 - (*date + std::chrono::milliseconds(500));
  return facts;
}

Result<bool> ClusterReader::review(const std::string& kind, const json::Value& spec) {
  const json::Value review{{"apiVersion", "authorization.k8s.io/v1"}, {"kind", kind}, {"spec", spec}};
  const auto response = client_.create(review, {.timeout = request_timeout}, stop_);
  if (!response) return pintle::fail(readable(response.error()));
  return (*response)["/status/allowed"] == true;
}

Result<ClusterReader::Changes> ClusterReader::count_changes(const GroupVersionKind& kind, std::chrono::seconds time) {
  const auto start = client_.list(kind, {.limit = 1, .metadata_only = true, .timeout = request_timeout}, stop_);
  if (!start) return pintle::fail(readable(start.error()));
  Changes changes;
  const auto count = [&](const WatchEvent& event) {
    if (event.type != WatchEventType::modified) return true;
    auto& [number, last] = changes.by_key[event.object.key()];
    ++number;
    last = event.object;
    return true;
  };
  const auto watched = client_.watch(
      kind, {.resource_version = start->resource_version, .timeout = time, .metadata_only = true}, count, stop_);
  if (!watched) return pintle::fail(readable(watched.error()));
  return changes;
}

WallTime ClusterReader::now() {
  const auto& facts = server();
  const WallTime local = executor().wall_now();
  return facts && facts->ahead ? local - *facts->ahead : local;
}

}  // namespace pintle::doctor
