// Tables of authentication, version v1. Written by `pintle gen types`, which writes it anew.
#include <pintle/api/authentication/v1.hpp>

#include <pintle/object/field_table.hpp>

namespace pintle::api::authentication::v1 {
namespace {

constexpr FieldRules atomic{.is_set = true, .merge_strategy = MergeStrategy::atomic};

}  // namespace

FieldTable BoundObjectReference::fields() {
  static constexpr auto rows = field_rows({
      {"apiVersion", member<&BoundObjectReference::api_version>},
      {"kind", member<&BoundObjectReference::kind>},
      {"name", member<&BoundObjectReference::name>},
      {"uid", member<&BoundObjectReference::uid>},
  });
  return rows;
}

FieldTable UserInfo::fields() {
  static constexpr auto rows = field_rows({
      {"extra", member<&UserInfo::extra>},
      {"groups", member<&UserInfo::groups>, atomic},
      {"uid", member<&UserInfo::uid>},
      {"username", member<&UserInfo::username>},
  });
  return rows;
}

FieldTable SelfSubjectReviewStatus::fields() {
  static constexpr auto rows = field_rows({
      {"userInfo", member<&SelfSubjectReviewStatus::user_info>},
  });
  return rows;
}

FieldTable TokenRequestSpec::fields() {
  static constexpr auto rows = field_rows({
      {"audiences", member<&TokenRequestSpec::audiences>, atomic},
      {"boundObjectRef", member<&TokenRequestSpec::bound_object_ref>},
      {"expirationSeconds", member<&TokenRequestSpec::expiration_seconds>},
  });
  return rows;
}

FieldTable TokenRequestStatus::fields() {
  static constexpr auto rows = field_rows({
      {"expirationTimestamp", member<&TokenRequestStatus::expiration_timestamp>},
      {"token", member<&TokenRequestStatus::token>},
  });
  return rows;
}

FieldTable TokenReviewSpec::fields() {
  static constexpr auto rows = field_rows({
      {"audiences", member<&TokenReviewSpec::audiences>, atomic},
      {"token", member<&TokenReviewSpec::token>, required},
  });
  return rows;
}

FieldTable TokenReviewStatus::fields() {
  static constexpr auto rows = field_rows({
      {"audiences", member<&TokenReviewStatus::audiences>, atomic},
      {"authenticated", member<&TokenReviewStatus::authenticated>},
      {"error", member<&TokenReviewStatus::error>},
      {"user", member<&TokenReviewStatus::user>},
  });
  return rows;
}

}  // namespace pintle::api::authentication::v1
