// Types of certificates, version v1. Written by `pintle gen types`, which writes it anew.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/time.hpp>
#include <pintle/object/bytes.hpp>
#include <pintle/object/choice.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/metadata.hpp>

namespace pintle::api::certificates::v1 {

struct PINTLE_EXPORT CertificateSigningRequestSpec {
  enum class Usage {
    unset,
    any,
    cert_sign,
    client_auth,
    code_signing,
    content_commitment,
    crl_sign,
    data_encipherment,
    decipher_only,
    digital_signature,
    email_protection,
    encipher_only,
    ipsec_end_system,
    ipsec_tunnel,
    ipsec_user,
    key_agreement,
    key_encipherment,
    microsoft_sgc,
    netscape_sgc,
    ocsp_signing,
    s_mime,
    server_auth,
    signing,
    timestamping
  };
  friend PINTLE_EXPORT EnumTable enum_names(Usage);
  friend consteval std::string_view enum_texts(Usage) {
    return "any|cert sign|client auth|code signing|content commitment|crl sign|data encipherment|decipher only|"
           "digital signature|email protection|encipher only|ipsec end system|ipsec tunnel|ipsec user|key agreement|"
           "key encipherment|microsoft sgc|netscape sgc|ocsp signing|s/mime|server auth|signing|timestamping";
  }

  std::optional<std::int32_t> expiration_seconds{};
  std::map<std::string, std::vector<std::string>> extra{};
  std::vector<std::string> groups{};
  Bytes request{};
  std::string signer_name{};
  std::optional<std::string> uid{};
  std::vector<Choice<Usage>> usages{};
  std::optional<std::string> username{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CertificateSigningRequestCondition {
  std::optional<WallTime> last_transition_time{};
  std::optional<WallTime> last_update_time{};
  std::optional<std::string> message{};
  std::optional<std::string> reason{};
  std::string status{};
  std::string type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CertificateSigningRequestStatus {
  std::optional<Bytes> certificate{};
  std::vector<CertificateSigningRequestCondition> conditions{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CertificateSigningRequest {
  static constexpr Type type{"certificates.k8s.io/v1", "CertificateSigningRequest"};
  Metadata metadata{};
  CertificateSigningRequestSpec spec{};
  CertificateSigningRequestStatus status{};
};

}  // namespace pintle::api::certificates::v1
