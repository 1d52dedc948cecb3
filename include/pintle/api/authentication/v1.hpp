// Types of authentication, version v1. Written by `pintle gen types`, which writes it anew.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/time.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/metadata.hpp>
#include <pintle/object/optional_box.hpp>

namespace pintle::api::authentication::v1 {

struct PINTLE_EXPORT BoundObjectReference {
  std::optional<std::string> api_version{};
  std::optional<std::string> kind{};
  std::optional<std::string> name{};
  std::optional<std::string> uid{};

  static FieldTable fields();
};

struct PINTLE_EXPORT UserInfo {
  std::map<std::string, std::vector<std::string>> extra{};
  std::vector<std::string> groups{};
  std::optional<std::string> uid{};
  std::optional<std::string> username{};

  static FieldTable fields();
};

struct PINTLE_EXPORT SelfSubjectReviewStatus {
  UserInfo user_info{};

  static FieldTable fields();
};

struct PINTLE_EXPORT SelfSubjectReview {
  static constexpr Type type{"authentication.k8s.io/v1", "SelfSubjectReview"};
  Metadata metadata{};
  SelfSubjectReviewStatus status{};
};

struct PINTLE_EXPORT TokenRequestSpec {
  std::vector<std::string> audiences{};
  OptionalBox<BoundObjectReference> bound_object_ref{};
  std::optional<std::int64_t> expiration_seconds{};

  static FieldTable fields();
};

struct PINTLE_EXPORT TokenRequestStatus {
  std::optional<WallTime> expiration_timestamp{};
  std::optional<std::string> token{};

  static FieldTable fields();
};

struct PINTLE_EXPORT TokenRequest {
  static constexpr Type type{"authentication.k8s.io/v1", "TokenRequest"};
  Metadata metadata{};
  TokenRequestSpec spec{};
  TokenRequestStatus status{};
};

struct PINTLE_EXPORT TokenReviewSpec {
  std::vector<std::string> audiences{};
  std::string token{};

  static FieldTable fields();
};

struct PINTLE_EXPORT TokenReviewStatus {
  std::vector<std::string> audiences{};
  std::optional<bool> authenticated{};
  std::optional<std::string> error{};
  UserInfo user{};

  static FieldTable fields();
};

struct PINTLE_EXPORT TokenReview {
  static constexpr Type type{"authentication.k8s.io/v1", "TokenReview"};
  Metadata metadata{};
  TokenReviewSpec spec{};
  TokenReviewStatus status{};
};

}  // namespace pintle::api::authentication::v1
