// Tables of events, version v1. Written by `pintle gen types`, which writes it anew.
#include <pintle/api/events/v1.hpp>

#include <pintle/object/field_table.hpp>

namespace pintle::api::events::v1 {
namespace {

constexpr FieldRules atomic{.is_set = true, .merge_strategy = MergeStrategy::atomic};

}  // namespace

FieldTable EventSeries::fields() {
  static constexpr auto rows = field_rows({
      {"count", member<&EventSeries::count>, required},
      {"lastObservedTime", member<&EventSeries::last_observed_time>, required},
  });
  return rows;
}

FieldTable Event::fields() {
  static constexpr auto rows = field_rows({
      {"action", member<&Event::action>},
      {"deprecatedCount", member<&Event::deprecated_count>},
      {"deprecatedFirstTimestamp", member<&Event::deprecated_first_timestamp>},
      {"deprecatedLastTimestamp", member<&Event::deprecated_last_timestamp>},
      {"deprecatedSource", member<&Event::deprecated_source>},
      {"eventTime", member<&Event::event_time>, required},
      {"note", member<&Event::note>},
      {"reason", member<&Event::reason>},
      {"regarding", member<&Event::regarding>, atomic},
      {"related", member<&Event::related>, atomic},
      {"reportingController", member<&Event::reporting_controller>},
      {"reportingInstance", member<&Event::reporting_instance>},
      {"series", member<&Event::series>},
      {"type", member<&Event::type_>},
  });
  return rows;
}

}  // namespace pintle::api::events::v1
