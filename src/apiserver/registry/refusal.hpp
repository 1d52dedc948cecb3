// SPDX-License-Identifier: Apache-2.0
// Refusal: a response that is a Status of a failure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/error.hpp>
#include <pintle/json/value.hpp>

#include <tl/expected.hpp>

namespace pintle::apiserver {

struct Details {
  std::string name{};
  std::string group{};
  std::string kind{};
  std::string uid{};
  std::vector<StatusCause> causes{};
  int retry_after_seconds = 0;
};

// A plain value. `details` that are present but empty are printed as {}, because kube-apiserver sends both forms.
struct Refusal {
  int code = 500;
  std::string reason{};
  std::string message{};
  std::optional<Details> details{};
  std::string next_page{};              // metadata.continue, if a page has expired
  std::vector<std::string> warnings{};  // for the client

  [[nodiscard]] json::Value to_status() const;
};

template <class T>
using StatusOr = tl::expected<T, Refusal>;

[[nodiscard]] inline tl::unexpected<Refusal> refuse(Refusal refusal) {
  return tl::unexpected<Refusal>(std::move(refusal));
}

// The subject of a refusal. `kind` is a resource ("widgets") or a kind ("Widget"), as in kube-apiserver.
struct Subject {
  std::string_view group{};
  std::string_view kind{};
  std::string_view name{};
};

[[nodiscard]] Refusal bad_request(std::string message);
[[nodiscard]] Refusal timed_out();  // the time of the request is over
[[nodiscard]] Refusal not_found(const Subject& subject);
[[nodiscard]] Refusal no_such_resource();
[[nodiscard]] Refusal already_exists(const Subject& subject);
[[nodiscard]] Refusal conflict(const Subject& subject, std::string_view why);
[[nodiscard]] Refusal stale(const Subject& subject);
[[nodiscard]] Refusal forbidden(const Subject& subject, std::string_view why);
[[nodiscard]] Refusal invalid(const Subject& subject, std::vector<StatusCause> causes);
[[nodiscard]] Refusal method_not_allowed();
[[nodiscard]] Refusal unsupported_media_type(std::string_view accepted, bool with_details);
[[nodiscard]] Refusal not_acceptable(std::string_view accepted);
[[nodiscard]] Refusal unauthorized();
[[nodiscard]] Refusal too_large(std::size_t limit);
[[nodiscard]] Refusal too_many_requests();
[[nodiscard]] Refusal expired(std::string message);
[[nodiscard]] Refusal version_too_large(std::uint64_t requested, std::uint64_t current);
[[nodiscard]] Refusal internal_error(std::string message);
// A failure of a part of the server, such as a webhook: reason InternalError, with a cause.
[[nodiscard]] Refusal internal_failure(std::string_view why);

// Causes with the messages of kube-apiserver.
[[nodiscard]] StatusCause required(std::string field, std::string_view why = {});
[[nodiscard]] StatusCause invalid_value(std::string field, const json::Value& value, std::string_view why);
[[nodiscard]] StatusCause forbidden_field(std::string field, std::string_view why);
[[nodiscard]] StatusCause not_supported(std::string field, const json::Value& value,
                                        const std::vector<std::string>& supported);
[[nodiscard]] StatusCause duplicate_value(std::string field, const json::Value& value);
[[nodiscard]] StatusCause immutable_field(std::string field, const json::Value& value);

}  // namespace pintle::apiserver
