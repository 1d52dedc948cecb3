// Tables of certificates, version v1. Written by `pintle gen types`, which writes it anew.
#include <pintle/api/certificates/v1.hpp>

#include <pintle/object/field_table.hpp>

namespace pintle::api::certificates::v1 {
namespace {

constexpr FieldRules atomic{.is_set = true, .merge_strategy = MergeStrategy::atomic};
constexpr FieldRules by_type{.is_set = true, .merge_strategy = MergeStrategy::map, .keys = {"type", "", "", ""}};

}  // namespace

EnumTable enum_names(CertificateSigningRequestSpec::Usage) {
  using enum CertificateSigningRequestSpec::Usage;
  static constexpr auto rows = enum_rows({
      {any, "any"},
      {cert_sign, "cert sign"},
      {client_auth, "client auth"},
      {code_signing, "code signing"},
      {content_commitment, "content commitment"},
      {crl_sign, "crl sign"},
      {data_encipherment, "data encipherment"},
      {decipher_only, "decipher only"},
      {digital_signature, "digital signature"},
      {email_protection, "email protection"},
      {encipher_only, "encipher only"},
      {ipsec_end_system, "ipsec end system"},
      {ipsec_tunnel, "ipsec tunnel"},
      {ipsec_user, "ipsec user"},
      {key_agreement, "key agreement"},
      {key_encipherment, "key encipherment"},
      {microsoft_sgc, "microsoft sgc"},
      {netscape_sgc, "netscape sgc"},
      {ocsp_signing, "ocsp signing"},
      {s_mime, "s/mime"},
      {server_auth, "server auth"},
      {signing, "signing"},
      {timestamping, "timestamping"},
  });
  return rows;
}

FieldTable CertificateSigningRequestSpec::fields() {
  static constexpr auto rows = field_rows({
      {"expirationSeconds", member<&CertificateSigningRequestSpec::expiration_seconds>},
      {"extra", member<&CertificateSigningRequestSpec::extra>},
      {"groups", member<&CertificateSigningRequestSpec::groups>, atomic},
      {"request", member<&CertificateSigningRequestSpec::request>, required},
      {"signerName", member<&CertificateSigningRequestSpec::signer_name>, required},
      {"uid", member<&CertificateSigningRequestSpec::uid>},
      {"usages", member<&CertificateSigningRequestSpec::usages>, atomic},
      {"username", member<&CertificateSigningRequestSpec::username>},
  });
  return rows;
}

FieldTable CertificateSigningRequestCondition::fields() {
  static constexpr auto rows = field_rows({
      {"lastTransitionTime", member<&CertificateSigningRequestCondition::last_transition_time>},
      {"lastUpdateTime", member<&CertificateSigningRequestCondition::last_update_time>},
      {"message", member<&CertificateSigningRequestCondition::message>},
      {"reason", member<&CertificateSigningRequestCondition::reason>},
      {"status", member<&CertificateSigningRequestCondition::status>, required},
      {"type", member<&CertificateSigningRequestCondition::type>, required},
  });
  return rows;
}

FieldTable CertificateSigningRequestStatus::fields() {
  static constexpr auto rows = field_rows({
      {"certificate", member<&CertificateSigningRequestStatus::certificate>},
      {"conditions", member<&CertificateSigningRequestStatus::conditions>, by_type},
  });
  return rows;
}

}  // namespace pintle::api::certificates::v1
