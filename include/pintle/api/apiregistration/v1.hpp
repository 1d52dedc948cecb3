// Types of apiregistration, version v1. Written by `pintle gen types`, which writes it anew.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/time.hpp>
#include <pintle/object/bytes.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/metadata.hpp>
#include <pintle/object/optional_box.hpp>

namespace pintle::api::apiregistration::v1 {

struct PINTLE_EXPORT ServiceReference {
  std::optional<std::string> name{};
  std::optional<std::string> namespace_{};
  std::optional<std::int32_t> port{};

  static FieldTable fields();
};

struct PINTLE_EXPORT APIServiceSpec {
  std::optional<Bytes> ca_bundle{};
  std::optional<std::string> group{};
  std::int32_t group_priority_minimum = 0;
  std::optional<bool> insecure_skip_tls_verify{};
  OptionalBox<ServiceReference> service{};
  std::optional<std::string> version{};
  std::int32_t version_priority = 0;

  static FieldTable fields();
};

struct PINTLE_EXPORT APIServiceCondition {
  std::optional<WallTime> last_transition_time{};
  std::optional<std::string> message{};
  std::optional<std::string> reason{};
  std::string status{};
  std::string type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT APIServiceStatus {
  std::vector<APIServiceCondition> conditions{};

  static FieldTable fields();
};

struct PINTLE_EXPORT APIService {
  static constexpr Type type{"apiregistration.k8s.io/v1", "APIService"};
  Metadata metadata{};
  APIServiceSpec spec{};
  APIServiceStatus status{};
};

}  // namespace pintle::api::apiregistration::v1
