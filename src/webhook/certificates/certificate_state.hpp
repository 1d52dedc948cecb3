// SPDX-License-Identifier: Apache-2.0
// CertificateState: the authorities and the serving certificate that all instances of an operator share in a Secret,
// and the steps that renew them. Pure functions: the caller passes the time, and reads and writes the Secret.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/base/time.hpp>
#include <pintle/http/certificates.hpp>
#include <pintle/http/pem.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

// The common name of each authority that is made here begins with this text.
inline constexpr std::string_view authority_name_prefix = "pintle webhooks ";

struct CertificateLives {
  Duration authority = std::chrono::hours(365 * 24);
  Duration serving = std::chrono::hours(90 * 24);
  // Certificates begin this time before they are made, and an expired authority stays trusted for this time, because
  // clocks of API servers differ. Less than a third of the other two.
  Duration tolerance = std::chrono::hours(24);
};

// The properties of the certificates that are made.
struct CertificateProfile {
  std::vector<std::string> names{};  // hosts at which the API server reaches the webhooks; at least one
  CertificateLives lives{};
};

// Clients trust `authority`, `next` and `retired`. `authority` has signed `serving`.
struct CertificateState {
  http::KeyPair authority{};
  http::KeyPair serving{};
  std::optional<http::KeyPair> next{};  // will sign when all clients trust it
  std::vector<std::string> retired{};   // signed earlier serving certificates; PEM, without their keys

  friend bool operator==(const CertificateState&, const CertificateState&) = default;
};

// A step of the renewal. Authorities are renewed at two thirds of their life in this order: the next one is added, then
// distributed to all clients, then it signs; the previous one stays trusted until it expires. Thus the certificate that
// an instance serves is trusted at every time, however late the instance reads the Secret, until that certificate
// expires.
enum class CertificateStep {
  none,
  add_authority,   // make the next authority
  sign_with_next,  // make the next authority the current one, and a serving certificate of it
  renew_serving,   // make a serving certificate of the current authority
  drop_expired,    // trust expired authorities no longer
};

// The dates that determine the due step. Parsing certificates is slow, and the dates are needed often.
struct CertificateDates {
  http::Validity authority{};
  http::Validity serving{};
  std::optional<http::Validity> next{};
  std::vector<http::Validity> retired{};
  bool has_names = false;  // the serving certificate is valid for all names of the profile
};
[[nodiscard]] CertificateDates dates_of(const CertificateState& state, const CertificateProfile& profile);

// Returns the due step. `is_next_trusted`: all clients have trusted the next authority for long enough. In the last
// tenth of the life of the current authority, the next one signs in any case.
[[nodiscard]] CertificateStep next_step(const CertificateDates& dates, const CertificateLives& lives,
                                        bool is_next_trusted, WallTime now);

// Returns the state after the step. Error: invalid, if a certificate cannot be made.
[[nodiscard]] Result<CertificateState> take_step(CertificateState state, CertificateStep step,
                                                 const CertificateProfile& profile, WallTime now);

// Makes a new authority, which signs a new serving certificate. Clients also trust `retired`.
[[nodiscard]] Result<CertificateState> make_certificates(const CertificateProfile& profile,
                                                         std::vector<std::string> retired, WallTime now);

// The time at which two thirds of the life of the serving certificate are over.
[[nodiscard]] WallTime renewal_time(const CertificateState& state, const CertificateLives& lives);

// The authorities that clients must trust, PEM, each once. The current one is first.
[[nodiscard]] std::vector<std::string> trusted_authorities(const CertificateState& state);

// The data of a Secret with the state: tls.crt and tls.key (serving), ca.crt (all trusted authorities), ca.key (key of
// the current authority) and next-ca.key.
[[nodiscard]] json::object secret_data(const CertificateState& state);
// Error: invalid, with the name of the key of the Secret, if it is missing or malformed, or does not fit the others.
[[nodiscard]] Result<CertificateState> read_certificate_state(const Object& secret);

}  // namespace pintle
