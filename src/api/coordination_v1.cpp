// Tables of coordination, version v1. Written by `pintle gen types`, which writes it anew.
#include <pintle/api/coordination/v1.hpp>

#include <pintle/object/field_table.hpp>

namespace pintle::api::coordination::v1 {
FieldTable LeaseSpec::fields() {
  static constexpr auto rows = field_rows({
      {"acquireTime", member<&LeaseSpec::acquire_time>},
      {"holderIdentity", member<&LeaseSpec::holder_identity>},
      {"leaseDurationSeconds", member<&LeaseSpec::lease_duration_seconds>},
      {"leaseTransitions", member<&LeaseSpec::lease_transitions>},
      {"preferredHolder", member<&LeaseSpec::preferred_holder>},
      {"renewTime", member<&LeaseSpec::renew_time>},
      {"strategy", member<&LeaseSpec::strategy>},
  });
  return rows;
}

}  // namespace pintle::api::coordination::v1
