// SPDX-License-Identifier: Apache-2.0
#include "selection.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <pintle/object/bytes.hpp>

#include "apiserver/call/query_values.hpp"
#include "apiserver/registry/values.hpp"
#include "selectors/selector_text.hpp"

namespace pintle::apiserver {
namespace {

std::optional<SelectableField> field_of(const Resource& resource, std::string_view label) {
  if (label == "metadata.name") return SelectableField{.label = "metadata.name", .pointer = "/metadata/name"};
  if (label == "metadata.namespace" && resource.selects_namespace) {
    return SelectableField{.label = "metadata.namespace", .pointer = "/metadata/namespace"};
  }
  const auto found = std::find_if(resource.fields.begin(), resource.fields.end(),
                                  [&](const SelectableField& field) { return field.label == label; });
  if (found == resource.fields.end()) return std::nullopt;
  return *found;
}

// The text depends on the kind: one that offers further fields has a message of its own, and so have Jobs.
std::string unknown_field(const Resource& resource, std::string_view label) {
  if (resource.kind == "Job" && resource.group == "batch") {
    return fmt::format("field label {} not supported for batchv1.Job", json::print(json::Value(label)));
  }
  if (resource.custom || !resource.fields.empty()) return fmt::format("field label not supported: {}", label);
  return fmt::format(R"({} is not a known field selector: only "metadata.name", "metadata.namespace")",
                     json::print(json::Value(label)));
}

bool field_matches(const FieldSelection& selection, const Object& stored) {
  json::View found = stored[selection.pointer];
  if (!selection.other_pointer.empty() && found.text().empty()) found = stored[selection.other_pointer];
  const std::string printed = found.is_string() ? std::string(found.text())
                              : found.exists()  ? found.print()
                                                : selection.fallback;
  return (printed == selection.value) == selection.equal;
}

// The errors in the options of a watch.
void validate_watch_options(const ReadOptions& options, std::string_view match, std::vector<StatusCause>& causes) {
  const auto forbid = [&](std::string_view why) { causes.push_back(forbidden_field("resourceVersionMatch", why)); };
  const bool is_known = match == "NotOlderThan";
  if (options.wants_initial_events && !is_known)
    forbid("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
  if (match.empty()) return;
  if (!options.wants_initial_events)
    forbid("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
  if (!is_known) causes.push_back(not_supported("resourceVersionMatch", json::Value(match), {"NotOlderThan"}));
  if (!options.next.empty()) forbid("resourceVersionMatch is forbidden when continue is provided");
}

// The same for a list.
void validate_list_options(const ReadOptions& options, std::string_view match, std::vector<StatusCause>& causes) {
  const auto forbid = [&](std::string_view why) { causes.push_back(forbidden_field("resourceVersionMatch", why)); };
  if (!match.empty()) {
    if (options.version.empty()) forbid("resourceVersionMatch is forbidden unless resourceVersion is provided");
    if (!options.next.empty()) forbid("resourceVersionMatch is forbidden when continue is provided");
    if (match != "Exact" && match != "NotOlderThan")
      causes.push_back(not_supported("resourceVersionMatch", json::Value(match), {"Exact", "NotOlderThan", ""}));
    if (match == "Exact" && options.version == "0")
      forbid("resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
  }
  if (options.wants_initial_events)
    causes.push_back(forbidden_field("sendInitialEvents", "sendInitialEvents is forbidden for list"));
}

}  // namespace

StatusOr<Selection> Selection::of(const Call& call) {
  Selection out;
  auto labels = parse_label_selector(call.query("labelSelector"));
  if (!labels) return refuse(bad_request(std::move(labels.error())));
  out.labels_ = std::move(*labels);
  auto fields = parse_field_selector(call.query("fieldSelector"));
  if (!fields) return refuse(bad_request(std::move(fields.error())));
  for (FieldSelector::Requirement& requirement : fields->requirements) {
    auto field = field_of(*call.resource, requirement.path);
    if (!field) return refuse(bad_request(unknown_field(*call.resource, requirement.path)));
    out.fields_.push_back({.pointer = std::move(field->pointer),
                           .fallback = std::move(field->fallback),
                           .value = std::move(requirement.value),
                           .equal = requirement.equal,
                           .other_pointer = std::move(field->other_pointer)});
  }
  return out;
}

bool Selection::matches(const Object& stored) const {
  if (!labels_.empty() && !labels_.matches(stored.labels())) return false;
  return std::all_of(fields_.begin(), fields_.end(),
                     [&](const FieldSelection& one) { return field_matches(one, stored); });
}

StatusOr<ReadOptions> ReadOptions::of(const Call& call, bool watches) {
  ReadOptions out{.version = std::string(call.query("resourceVersion")), .next = std::string(call.query("continue"))};
  const auto timeout = integer_parameter(call.target, "timeoutSeconds");
  if (!timeout) return refuse(timeout.error());
  out.timeout = *timeout;
  const auto limit = integer_parameter(call.target, "limit");
  if (!limit) return refuse(limit.error());
  out.limit = static_cast<std::size_t>(std::max<std::int64_t>(limit->value_or(0), 0));  // a negative number is no limit
  out.wants_initial_events = call.target.parameter("sendInitialEvents").has_value();
  out.sends_initial_events = call.flag("sendInitialEvents");

  const std::string_view match = call.query("resourceVersionMatch");
  std::vector<StatusCause> causes;
  watches ? validate_watch_options(out, match, causes) : validate_list_options(out, match, causes);
  if (!causes.empty()) return refuse(invalid({.group = "meta.k8s.io", .kind = "ListOptions"}, std::move(causes)));
  if (!watches && match == "Exact") out.match = Match::exact;
  if (!watches && match == "NotOlderThan") out.match = Match::not_older_than;
  return out;
}

std::string PageToken::encode() const {
  const json::Value token{{"v", "pintle/v1"}, {"rv", version}, {"start", after}, {"seen", seen}};
  std::string text = Bytes(json::print(token)).to_base64();
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '/', '_');
  text.erase(std::find(text.begin(), text.end(), '='), text.end());
  return text;
}

std::optional<PageToken> PageToken::decode(std::string_view text) {
  std::string base64(text);
  std::replace(base64.begin(), base64.end(), '-', '+');
  std::replace(base64.begin(), base64.end(), '_', '/');
  base64.append((4 - base64.size() % 4) % 4, '=');
  const auto bytes = Bytes::from_base64(base64);
  if (!bytes) return std::nullopt;
  const auto token = json::parse(bytes->data);
  if (!token || text_at(*token, "/v") != "pintle/v1") return std::nullopt;
  const auto number = [&](std::string_view name) -> std::optional<std::uint64_t> {
    const json::Value* value = member(*token, name);
    if (value == nullptr) return std::nullopt;
    if (value->is_uint64()) return value->get_uint64();
    if (!value->is_int64() || value->get_int64() < 0) return std::nullopt;
    return static_cast<std::uint64_t>(value->get_int64());
  };
  const auto version = number("rv");
  const auto seen = number("seen");
  const std::string_view after = text_at(*token, "/start");
  if (!version || !seen || after.empty()) return std::nullopt;
  return PageToken{.version = *version, .after = std::string(after), .seen = *seen};
}

std::string version_error(std::string_view text) {
  return fmt::format("resourceVersion: Invalid value: \"{0}\": strconv.ParseUint: parsing \"{0}\": invalid syntax",
                     text);
}

std::string token_error(std::string_view text) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string out = "invalid continue token: continue key is not valid";
  std::size_t wrong = text.find_first_not_of(alphabet);
  if (wrong == std::string_view::npos && text.size() % 4 == 1) wrong = text.size() - 1;
  if (wrong != std::string_view::npos) out += fmt::format(": illegal base64 data at input byte {}", wrong);
  return out;
}

}  // namespace pintle::apiserver
