// Tables of scheduling, version v1. Written by `pintle gen types`, which writes it anew.
#include <pintle/api/scheduling/v1.hpp>

#include <pintle/object/field_table.hpp>

namespace pintle::api::scheduling::v1 {
EnumTable enum_names(PriorityClass::PreemptionPolicy) {
  using enum PriorityClass::PreemptionPolicy;
  static constexpr auto rows = enum_rows({
      {never, "Never"},
      {preempt_lower_priority, "PreemptLowerPriority"},
  });
  return rows;
}

FieldTable PriorityClass::fields() {
  static constexpr auto rows = field_rows({
      {"description", member<&PriorityClass::description_>},
      {"globalDefault", member<&PriorityClass::global_default>},
      {"preemptionPolicy", member<&PriorityClass::preemption_policy>},
      {"value", member<&PriorityClass::value>},
  });
  return rows;
}

}  // namespace pintle::api::scheduling::v1
