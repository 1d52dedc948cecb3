// Types of events, version v1. Written by `pintle gen types`, which writes it anew.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <pintle/api/core/v1.hpp>
#include <pintle/api/core/v1/small_kinds.hpp>
#include <pintle/base/annotations.hpp>
#include <pintle/base/time.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/metadata.hpp>
#include <pintle/object/micro_time.hpp>
#include <pintle/object/optional_box.hpp>

namespace pintle::api::events::v1 {

struct PINTLE_EXPORT EventSeries {
  std::int32_t count = 0;
  MicroTime last_observed_time{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Event {
  static constexpr Type type{"events.k8s.io/v1", "Event"};
  Metadata metadata{};
  std::optional<std::string> action{};
  std::optional<std::int32_t> deprecated_count{};
  std::optional<WallTime> deprecated_first_timestamp{};
  std::optional<WallTime> deprecated_last_timestamp{};
  core::v1::EventSource deprecated_source{};
  MicroTime event_time{};
  std::optional<std::string> note{};
  std::optional<std::string> reason{};
  core::v1::ObjectReference regarding{};
  OptionalBox<core::v1::ObjectReference> related{};
  std::optional<std::string> reporting_controller{};
  std::optional<std::string> reporting_instance{};
  OptionalBox<EventSeries> series{};
  std::optional<std::string> type_{};

  static FieldTable fields();
};

}  // namespace pintle::api::events::v1
