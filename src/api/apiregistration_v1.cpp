// Tables of apiregistration, version v1. Written by `pintle gen types`, which writes it anew.
#include <pintle/api/apiregistration/v1.hpp>

#include <pintle/object/field_table.hpp>

namespace pintle::api::apiregistration::v1 {
namespace {

constexpr FieldRules atomic{.is_set = true, .merge_strategy = MergeStrategy::atomic};
constexpr FieldRules by_type{.is_set = true, .merge_strategy = MergeStrategy::map, .keys = {"type", "", "", ""}};

}  // namespace

FieldTable ServiceReference::fields() {
  static constexpr auto rows = field_rows({
      {"name", member<&ServiceReference::name>},
      {"namespace", member<&ServiceReference::namespace_>},
      {"port", member<&ServiceReference::port>},
  });
  return rows;
}

FieldTable APIServiceSpec::fields() {
  static constexpr auto rows = field_rows({
      {"caBundle", member<&APIServiceSpec::ca_bundle>, atomic},
      {"group", member<&APIServiceSpec::group>},
      {"groupPriorityMinimum", member<&APIServiceSpec::group_priority_minimum>, required},
      {"insecureSkipTLSVerify", member<&APIServiceSpec::insecure_skip_tls_verify>},
      {"service", member<&APIServiceSpec::service>},
      {"version", member<&APIServiceSpec::version>},
      {"versionPriority", member<&APIServiceSpec::version_priority>, required},
  });
  return rows;
}

FieldTable APIServiceCondition::fields() {
  static constexpr auto rows = field_rows({
      {"lastTransitionTime", member<&APIServiceCondition::last_transition_time>},
      {"message", member<&APIServiceCondition::message>},
      {"reason", member<&APIServiceCondition::reason>},
      {"status", member<&APIServiceCondition::status>, required},
      {"type", member<&APIServiceCondition::type>, required},
  });
  return rows;
}

FieldTable APIServiceStatus::fields() {
  static constexpr auto rows = field_rows({
      {"conditions", member<&APIServiceStatus::conditions>, by_type},
  });
  return rows;
}

}  // namespace pintle::api::apiregistration::v1
