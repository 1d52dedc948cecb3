// SPDX-License-Identifier: Apache-2.0
#include "negotiate.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/text.hpp>
#include <pintle/object/protobuf.hpp>

namespace pintle::apiserver {
namespace {

// Removes the part up to the separator from `text` and returns it without surrounding spaces.
std::string_view take(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return trim(part);
}

using Parameters = std::map<std::string_view, std::string_view>;

std::optional<ResponseFormat> read_range(std::string_view type, const Parameters& parameters, Offered offered) {
  ResponseFormat format;
  if (type == "application/yaml") {
    format.yaml = true;
  } else if (type == protobuf_media_type && offered.protobuf) {
    format.protobuf = true;
  } else if (type != "application/json" && type != "*/*" && type != "application/*") {
    return std::nullopt;
  }
  const auto get = [&](std::string_view name) {
    const auto found = parameters.find(name);
    return found == parameters.end() ? std::string_view{} : found->second;
  };
  const std::string_view as = get("as");
  if (as.empty()) return format;
  if (format.protobuf) return std::nullopt;
  if (get("g") == "apidiscovery.k8s.io" && get("v") == "v2" && as == "APIGroupDiscoveryList" && offered.discovery) {
    format.form = ResponseFormat::Form::discovery;
    return format;
  }
  format.beta = get("v") == "v1beta1";
  if (get("g") != "meta.k8s.io" || (get("v") != "v1" && !format.beta) || !offered.tables) return std::nullopt;
  if (as == "Table") {
    format.form = ResponseFormat::Form::table;
  } else if (as == "PartialObjectMetadata" || as == "PartialObjectMetadataList") {
    format.form = ResponseFormat::Form::metadata;
  } else {
    return std::nullopt;
  }
  return format;
}

struct MediaRange {
  std::string type{};
  Parameters parameters{};
  double weight = 1;
};

MediaRange read_media_range(std::string_view text) {
  MediaRange range{.type = media_type(take(text, ';'))};
  while (!text.empty()) {
    std::string_view parameter = take(text, ';');
    const std::string_view name = take(parameter, '=');
    range.parameters[name] = parameter;
    if (name == "q") std::from_chars(parameter.data(), parameter.data() + parameter.size(), range.weight);
  }
  return range;
}

// Returns the media ranges by descending weight. Those of equal weight keep their order.
std::vector<MediaRange> media_ranges(std::string_view accept) {
  std::vector<MediaRange> ranges;
  while (!accept.empty()) ranges.push_back(read_media_range(take(accept, ',')));
  std::ranges::stable_sort(ranges, std::ranges::greater(), &MediaRange::weight);
  return ranges;
}

bool wants_pretty(const http::Request& request, const http::Target& target) {
  if (const auto requested = target.parameter("pretty"); requested && !requested->empty()) {
    constexpr std::array<std::string_view, 6> words{"1", "t", "T", "true", "TRUE", "True"};
    return std::ranges::find(words, *requested) != words.end();
  }
  const std::string_view agent = request.headers.get("User-Agent").value_or("");
  return agent.starts_with("curl") || agent.starts_with("Wget") || agent.starts_with("Mozilla/5.0");
}

}  // namespace

std::string media_type(std::string_view header) {
  std::string type(take(header, ';'));
  std::transform(type.begin(), type.end(), type.begin(), [](char c) { return 'A' <= c && c <= 'Z' ? c + 32 : c; });
  return type;
}

bool accepts_protobuf(const http::Request& request) {
  return request.headers.get("Accept").value_or("").find(protobuf_media_type) != std::string_view::npos;
}

StatusOr<ResponseFormat> negotiate(const http::Request& request, const http::Target& target, Offered offered) {
  const std::string_view accept = trim(request.headers.get("Accept").value_or(""));
  std::optional<ResponseFormat> format;
  if (accept.empty()) format.emplace();
  for (const MediaRange& range : media_ranges(accept)) {
    if (!format && range.weight > 0) format = read_range(range.type, range.parameters, offered);
  }
  if (!format) return refuse(not_acceptable(body_types));
  format->pretty = wants_pretty(request, target);
  return *format;
}

}  // namespace pintle::apiserver
