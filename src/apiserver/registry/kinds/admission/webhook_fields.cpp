// SPDX-License-Identifier: Apache-2.0
#include "webhook_fields.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include <pintle/object/names.hpp>

#include "apiserver/registry/metadata.hpp"
#include "apiserver/registry/refusal.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

constexpr std::string_view url_format = "desired format: https://host[/path]";

// Removes and returns the part of a text after a separator; "" if there is none.
std::string_view cut_after(std::string_view& text, char separator) {
  const std::size_t at = text.find(separator);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + 1);
  text = text.substr(0, at);
  return rest;
}

void validate_url(std::string_view url, const std::string& field, std::vector<StatusCause>& causes) {
  const auto add = [&](std::string_view part, std::string_view why) {
    causes.push_back(invalid_value(field, Value(part), why));
  };
  const std::string_view fragment = cut_after(url, '#');
  const std::string_view query = cut_after(url, '?');
  const std::size_t colon = url.find("://");
  const std::string_view scheme = colon == std::string_view::npos ? std::string_view{} : url.substr(0, colon);
  std::string_view host = colon == std::string_view::npos ? url : url.substr(colon + 3);
  host = host.substr(0, host.find('/'));
  const std::size_t at = host.rfind('@');
  const std::string_view user = at == std::string_view::npos ? std::string_view{} : host.substr(0, at);
  if (at != std::string_view::npos) host.remove_prefix(at + 1);
  if (scheme != "https") add(scheme, fmt::format("'https' is the only allowed URL scheme; {}", url_format));
  if (host.empty()) add(host, fmt::format("host must be specified; {}", url_format));
  if (at != std::string_view::npos) add(user, "user information is not permitted in the URL");
  if (!fragment.empty()) add(fragment, "fragments are not permitted in the URL");
  if (!query.empty()) add(query, "query parameters are not permitted in the URL");
}

void validate_path(std::string_view path, const std::string& field, std::vector<StatusCause>& causes) {
  if (path.empty() || path == "/") return;
  const auto add = [&](std::string_view why) { causes.push_back(invalid_value(field, Value(path), why)); };
  if (path == "//") return add("segment[0] may not be empty");
  if (!path.starts_with('/')) add("must start with a '/'");
  std::string_view rest = path.substr(1);
  if (rest.ends_with('/')) rest.remove_suffix(1);
  for (int i = 0;; ++i) {
    const std::size_t slash = rest.find('/');
    const std::string_view segment = rest.substr(0, slash);
    if (segment.empty()) {
      add(fmt::format("segment[{}] may not be empty", i));
    } else if (const auto error = subdomain_error(segment)) {
      add(fmt::format("segment[{}]: {}", i, *error));
    }
    if (slash == std::string_view::npos) return;
    rest.remove_prefix(slash + 1);
  }
}

void validate_service(View service, const std::string& field, std::vector<StatusCause>& causes) {
  constexpr std::int64_t max_port = 65'535;
  // kube-apiserver names the field "name" in both cases.
  for (const char* part : {"name", "namespace"}) {
    if (service.member(part).text().empty()) causes.push_back(required(field + ".name"));
  }
  const std::int64_t port = service.member("port").as_integer().value_or(443);
  if (port < 1 || port > max_port) {
    causes.push_back(
        invalid_value(field + ".port", Value(port), "port is not valid: must be between 1 and 65535, inclusive"));
  }
  validate_path(service.member("path").text(), field + ".path", causes);
}

}  // namespace

void validate_client_config(View config, const std::string& field, std::vector<StatusCause>& causes) {
  const View url = config.member("url");
  const View service = config.member("service");
  if (url.exists() == service.exists()) {
    causes.push_back(required(field, "exactly one of url or service is required"));
  } else if (url.exists()) {
    validate_url(url.text(), field + ".url", causes);
  } else {
    validate_service(service, field + ".service", causes);
  }
}

void validate_review_versions(View versions, const std::string& field, std::vector<StatusCause>& causes) {
  bool has_known = false;
  std::vector<std::string_view> seen;
  for (const View version : versions.elements()) {
    const std::string_view text = version.text();
    const std::string at = fmt::format("{}[{}]", field, seen.size());
    if (std::find(seen.begin(), seen.end(), text) != seen.end()) {
      causes.push_back(invalid_value(at, Value(text), "duplicate version"));
    } else if (const auto error = dns1035_label_error(text)) {
      causes.push_back(invalid_value(at, Value(text), *error));
    }
    has_known = has_known || text == "v1" || text == "v1beta1";
    seen.push_back(text);
  }
  if (!has_known) {
    causes.push_back(invalid_value(field, versions.to_value(), "must include at least one of v1, v1beta1"));
  }
}

}  // namespace pintle::apiserver
