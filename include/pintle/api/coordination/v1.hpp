// Types of coordination, version v1. Written by `pintle gen types`, which writes it anew.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <pintle/base/annotations.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/metadata.hpp>
#include <pintle/object/micro_time.hpp>

namespace pintle::api::coordination::v1 {

struct PINTLE_EXPORT LeaseSpec {
  std::optional<MicroTime> acquire_time{};
  std::optional<std::string> holder_identity{};
  std::optional<std::int32_t> lease_duration_seconds{};
  std::optional<std::int32_t> lease_transitions{};
  std::optional<std::string> preferred_holder{};
  std::optional<MicroTime> renew_time{};
  std::optional<std::string> strategy{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Lease {
  static constexpr Type type{"coordination.k8s.io/v1", "Lease"};
  Metadata metadata{};
  LeaseSpec spec{};
};

}  // namespace pintle::api::coordination::v1
