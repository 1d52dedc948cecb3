// SPDX-License-Identifier: Apache-2.0
#include "otlp_settings.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include <pintle/base/file.hpp>
#include <pintle/base/random.hpp>
#include <pintle/base/text.hpp>
#include <pintle/http/pem.hpp>
#include <pintle/http/server_url.hpp>

namespace pintle {
namespace {

struct Variable {
  std::string name{};
  std::string value{};
};

// Reads a variable that has two names. The name that is only for traces takes precedence.
Variable of_traces(const ReadVariable& environment, const std::string& what) {
  const std::string own = "OTEL_EXPORTER_OTLP_TRACES_" + what;
  if (std::string value = environment(own); !value.empty()) return {own, std::move(value)};
  const std::string common = "OTEL_EXPORTER_OTLP_" + what;
  return {common, environment(common)};
}

auto unusable(const Variable& variable, std::string_view why) {
  return fail(ErrorCode::invalid, variable.name + "=\"" + variable.value + "\" " + std::string(why));
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

// Parses "a=1,b=2" as W3C Baggage defines it: values are percent-encoded, and spaces around names and values are
// ignored. The error does not contain values, because they may be secrets.
Result<Pairs> read_pairs(const Variable& variable) {
  Pairs pairs;
  std::string_view rest = variable.value;
  for (int place = 1; !rest.empty(); ++place) {
    const std::string_view one = trim(rest.substr(0, rest.find(',')));
    rest.remove_prefix(std::min(rest.find(','), rest.size() - 1) + 1);
    if (one.empty()) continue;
    const std::size_t equals = one.find('=');
    const std::string_view name = trim(one.substr(0, equals));
    if (equals == std::string_view::npos || name.empty()) {
      return fail(ErrorCode::invalid, variable.name + ": entry " + std::to_string(place) +
                                          " is not NAME=VALUE; write NAME=VALUE,NAME=VALUE");
    }
    pairs.emplace_back(name, http::percent_decode(trim(one.substr(equals + 1))));
  }
  return pairs;
}

bool is_header_name(std::string_view name) {
  return std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

bool is_header_value(std::string_view value) {
  return std::ranges::all_of(value, [](unsigned char c) { return (c >= ' ' && c != 0x7f) || c == '\t'; });
}

Result<http::Headers> read_headers(const Variable& variable) {
  auto pairs = read_pairs(variable);
  if (!pairs) return fail(std::move(pairs.error()));
  http::Headers headers;
  for (auto& [name, value] : *pairs) {
    if (!is_header_name(name) || !is_header_value(value)) {
      return fail(ErrorCode::invalid,
                  variable.name + ": \"" + name + "\" and its value are not a valid header; correct it");
    }
    headers.set(name, std::move(value));
  }
  return headers;
}

// OTEL_SERVICE_NAME takes precedence over service.name among the attributes, and the attributes take precedence over
// `service` and `version`.
Result<std::vector<SpanAttribute>> read_resource(const ReadVariable& environment, const std::string& service,
                                                 const std::string& version) {
  auto given = read_pairs({"OTEL_RESOURCE_ATTRIBUTES", environment("OTEL_RESOURCE_ATTRIBUTES")});
  if (!given) return fail(std::move(given.error()));
  const std::string named = environment("OTEL_SERVICE_NAME");
  Pairs all{{"service.name", named.empty() ? service : named}, {"service.version", version}};
  for (auto& [name, value] : *given) {
    const auto known = std::ranges::find(all, name, &Pairs::value_type::first);
    if (known == all.end()) {
      all.emplace_back(std::move(name), std::move(value));
    } else if (name != "service.name" || named.empty()) {
      known->second = std::move(value);
    }
  }
  std::vector<SpanAttribute> attributes;
  for (const auto& [name, value] : all) attributes.emplace_back(name, value);
  return attributes;
}

Result<double> read_ratio(const ReadVariable& environment) {
  const Variable argument{"OTEL_TRACES_SAMPLER_ARG", environment("OTEL_TRACES_SAMPLER_ARG")};
  if (argument.value.empty()) return 1;
  double ratio = 0;
  const char* const last = argument.value.data() + argument.value.size();
  const auto [end, error] = std::from_chars(argument.value.data(), last, ratio);
  if (error == std::errc{} && end == last && ratio >= 0 && ratio <= 1) return ratio;
  return unusable(argument, "is not a number from 0 to 1");
}

Result<Sampling> read_sampling(const ReadVariable& environment) {
  constexpr std::string_view follows_parent = "parentbased_";
  const Variable sampler{"OTEL_TRACES_SAMPLER", environment("OTEL_TRACES_SAMPLER")};
  if (sampler.value.empty()) return Sampling{};
  std::string_view root = sampler.value;
  Sampling sampling{.follows_parent = root.starts_with(follows_parent)};
  if (sampling.follows_parent) root.remove_prefix(follows_parent.size());
  if (root == "always_on") return sampling;
  if (root == "always_off") {
    sampling.ratio = 0;
    return sampling;
  }
  if (root != "traceidratio") {
    return unusable(sampler,
                    "is not one of always_on, always_off and traceidratio, with or without the prefix parentbased_");
  }
  const auto ratio = read_ratio(environment);
  if (!ratio) return fail(ratio.error());
  sampling.ratio = *ratio;
  return sampling;
}

// Accepts numbers up to the maximum that the specification of the SDK requires. Does not change `number` if the
// variable is not set.
Result<void> read_number(const Variable& variable, std::int32_t least, const std::string& what, std::int32_t& number) {
  if (variable.value.empty()) return {};
  const char* const last = variable.value.data() + variable.value.size();
  const auto [end, error] = std::from_chars(variable.value.data(), last, number);
  if (error == std::errc{} && end == last && number >= least) return {};
  return unusable(variable, "is not " + what + " from " + std::to_string(least) + " to " +
                                std::to_string(std::numeric_limits<std::int32_t>::max()));
}

Result<void> read_count(const Variable& variable, std::size_t& count) {
  auto number = static_cast<std::int32_t>(count);
  auto read = read_number(variable, 1, "a number", number);
  if (read) count = static_cast<std::size_t>(number);
  return read;
}

Result<void> read_time(const Variable& variable, Duration& time) {
  auto number = static_cast<std::int32_t>(std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
  auto read = read_number(variable, 0, "a number of milliseconds", number);
  if (read) time = std::chrono::milliseconds(number);
  return read;
}

Result<Batching> read_batching(const ReadVariable& environment) {
  const auto of_batches = [&](const std::string& what) {
    const std::string name = "OTEL_BSP_" + what;
    return Variable{name, environment(name)};
  };
  const Variable largest = of_batches("MAX_EXPORT_BATCH_SIZE");
  Batching batching;
  for (const auto& read :
       {read_count(of_batches("MAX_QUEUE_SIZE"), batching.max_waiting), read_count(largest, batching.max_batch_size),
        read_time(of_batches("SCHEDULE_DELAY"), batching.max_wait),
        read_time(of_batches("EXPORT_TIMEOUT"), batching.delivery_timeout),
        read_time(of_traces(environment, "TIMEOUT"), batching.request_timeout)}) {
    if (!read) return fail(read.error());
  }
  if (largest.value.empty()) batching.max_batch_size = std::min(batching.max_batch_size, batching.max_waiting);
  if (batching.max_batch_size <= batching.max_waiting) return batching;
  return unusable(largest, "is more than OTEL_BSP_MAX_QUEUE_SIZE allows: " + std::to_string(batching.max_waiting));
}

// Does not change `text` if the variable names no file.
Result<void> read_pem(const Variable& file, std::string& text) {
  if (file.value.empty()) return {};
  auto read = read_file(file.value);
  if (!read) return fail(std::move(read.error()).with_operation(file.name));
  text = std::move(*read);
  return {};
}

// Reads the certificate authority of the collector, and the client certificate with its key.
Result<void> read_certificates(const ReadVariable& environment, http::Endpoint& endpoint) {
  const Variable authority = of_traces(environment, "CERTIFICATE");
  const Variable certificate = of_traces(environment, "CLIENT_CERTIFICATE");
  const Variable key = of_traces(environment, "CLIENT_KEY");
  if (certificate.value.empty() != key.value.empty()) {
    const auto& [given, other] = key.value.empty() ? std::pair(certificate, key) : std::pair(key, certificate);
    return unusable(given, "requires " + other.name + "; set both or neither");
  }
  for (const auto& read : {read_pem(authority, endpoint.ca), read_pem(certificate, endpoint.client_certificate),
                           read_pem(key, endpoint.client_key)}) {
    if (!read) return read;
  }
  const auto named = [](const Variable& variable) { return variable.name + "=\"" + variable.value + "\""; };
  // An expired certificate is no error: it must not prevent the start of the operator, and the exporter reports it.
  if (!authority.value.empty()) {
    const std::string name = named(authority);
    if (auto good = http::validate_certificates({name, endpoint.ca}); !good) return fail(std::move(good.error()));
  }
  if (key.value.empty()) return {};
  const std::string certificate_name = named(certificate);
  const std::string key_name = named(key);
  auto good = http::validate_key_pair({certificate_name, endpoint.client_certificate}, {key_name, endpoint.client_key});
  if (!good) return fail(std::move(good.error()));
  return {};
}

Result<void> read_collector(const ReadVariable& environment, OtlpOptions& options) {
  const Variable url = of_traces(environment, "ENDPOINT");
  auto endpoint = http::parse_server_url(url.value, false);
  if (!endpoint) {
    // A URL with an "@" may contain a password.
    if (url.value.find('@') == std::string::npos) return unusable(url, endpoint.error().message);
    return fail(ErrorCode::invalid, url.name + " " + endpoint.error().message);
  }
  options.target = "/v1/traces";
  if (url.name == "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") {
    options.target = std::exchange(endpoint->base_path, "") + (url.value.ends_with('/') ? "/" : "");
    if (options.target.empty()) options.target = "/";
  }
  if (endpoint->tls) {
    if (auto read = read_certificates(environment, *endpoint); !read) return read;
  }
  options.endpoint = std::make_shared<http::Endpoint>(std::move(*endpoint));
  return {};
}

// Rejects a protocol that needs another exporter. A collector that accepts binary Protobuf over HTTP accepts JSON at
// the same address (OTLP specification, "OTLP/HTTP Connection").
Result<void> check_protocol(const ReadVariable& environment) {
  const Variable protocol = of_traces(environment, "PROTOCOL");
  if (protocol.value.empty() || protocol.value == "http/json" || protocol.value == "http/protobuf") return {};
  return unusable(protocol, "is not supported; set http/json, and an endpoint with the HTTP port, usually 4318");
}

Result<bool> wants_export(const ReadVariable& environment) {
  const Variable disabled{"OTEL_SDK_DISABLED", environment("OTEL_SDK_DISABLED")};
  const Variable exporter{"OTEL_TRACES_EXPORTER", environment("OTEL_TRACES_EXPORTER")};
  if (of_traces(environment, "ENDPOINT").value.empty() || to_lower_ascii(disabled.value) == "true") return false;
  if (!disabled.value.empty() && to_lower_ascii(disabled.value) != "false")
    return unusable(disabled, "is neither true nor false");
  if (exporter.value == "none") return false;
  if (exporter.value.empty() || exporter.value == "otlp") return true;
  return unusable(exporter, "is not supported; set otlp or none");
}

}  // namespace

// Decides by the trace id, so that the decision is the same for all spans of a trace, in all processes.
bool Sampling::keeps(const SpanContext& parent, const SpanContext& span) const noexcept {
  if (follows_parent && parent.is_valid()) return parent.sampled;
  std::uint64_t number = 0;
  for (std::size_t i = span.trace_id.size() / 2; i < span.trace_id.size(); ++i)
    number = number << 8U | span.trace_id[i];
  return Random::to_unit(number) < ratio;
}

Result<std::optional<OtlpOptions>> read_otlp_options(const ReadVariable& environment, const std::string& service,
                                                     const std::string& version) {
  const auto wanted = wants_export(environment);
  if (!wanted) return fail(wanted.error());
  if (!*wanted) return std::nullopt;
  if (auto good = check_protocol(environment); !good) return fail(std::move(good.error()));
  OtlpOptions options;
  if (auto read = read_collector(environment, options); !read) return fail(std::move(read.error()));
  auto headers = read_headers(of_traces(environment, "HEADERS"));
  if (!headers) return fail(std::move(headers.error()));
  auto resource = read_resource(environment, service, version);
  if (!resource) return fail(std::move(resource.error()));
  const auto sampling = read_sampling(environment);
  if (!sampling) return fail(sampling.error());
  const auto batching = read_batching(environment);
  if (!batching) return fail(batching.error());
  options.headers = std::move(*headers);
  options.resource = std::move(*resource);
  options.sampling = *sampling;
  options.batching = *batching;
  return options;
}

}  // namespace pintle
