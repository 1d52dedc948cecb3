// SPDX-License-Identifier: Apache-2.0
#include "certificate_state.hpp"

#include <algorithm>
#include <utility>

#include <pintle/http/pem.hpp>
#include <pintle/object/bytes.hpp>

#include "http/certificate_info.hpp"

namespace pintle {
namespace {

// Bounds a bundle if the Secret is deleted again and again.
constexpr std::size_t max_retired = 16;

http::Validity validity_of_first(std::string_view certificate) {
  const auto all = http::validate_certificates({"", certificate});
  return all ? all->front() : http::Validity{.not_before = WallTime::max(), .not_after = WallTime::min()};
}

bool is_valid_at(const http::Validity& validity, WallTime now) {
  return validity.has_begun(now) && !validity.has_ended(now);
}

// Two thirds of the life since the certificate was made.
WallTime due_time(const http::Validity& validity, const CertificateLives& lives) {
  const WallTime made = std::min(validity.not_before + lives.tolerance, validity.not_after);
  return made + (validity.not_after - made) * 2 / 3;
}

bool ends_soon(const http::Validity& authority, const CertificateLives& lives, WallTime now) {
  return authority.not_after - now < lives.authority / 10;
}

bool has_names(const CertificateState& state, const CertificateProfile& profile) {
  return std::all_of(profile.names.begin(), profile.names.end(),
                     [&](const std::string& name) { return http::is_valid_for_host(state.serving.certificate, name); });
}

bool is_serving_due(const CertificateDates& dates, const CertificateLives& lives, WallTime now) {
  if (!dates.serving.has_begun(now) || !dates.has_names) return true;
  // A serving certificate ends with its authority at the latest, so a renewal may have no effect.
  return due_time(dates.serving, lives) <= now && dates.serving.not_after < dates.authority.not_after;
}

bool is_dropped(const http::Validity& authority, const CertificateLives& lives, WallTime now) {
  return authority.has_ended(now - lives.tolerance);
}

Result<http::KeyPair> make_authority(const CertificateLives& lives, WallTime now) {
  return http::make_authority({.common_name = std::string(authority_name_prefix) + format_time(now),
                               .not_before = now - lives.tolerance,
                               .not_after = now + lives.authority});
}

Result<void> sign(CertificateState& state, const CertificateProfile& profile, std::vector<std::string> names,
                  WallTime now) {
  const WallTime end = validity_of_first(state.authority.certificate).not_after;
  auto made = http::make_server_certificate(state.authority, {.common_name = "pintle webhooks",
                                                              .names = std::move(names),
                                                              .not_before = now - profile.lives.tolerance,
                                                              .not_after = std::min(now + profile.lives.serving, end)});
  if (!made) return fail(std::move(made.error()));
  state.serving = std::move(*made);
  return {};
}

// Instances of two releases that need different names would replace the certificate of each other in turn otherwise.
std::vector<std::string> all_names(const CertificateState& state, const CertificateProfile& profile) {
  std::vector<std::string> names = profile.names;
  const auto serving = http::describe_certificates({"", state.serving.certificate});
  if (!serving || has_names(state, profile)) return names;
  constexpr std::size_t max_names = 32;
  for (const std::string& one : serving->front().names) {
    if (names.size() < max_names && std::find(names.begin(), names.end(), one) == names.end()) names.push_back(one);
  }
  return names;
}

void drop_expired(CertificateState& state, const CertificateLives& lives, WallTime now) {
  std::erase_if(state.retired, [&](const std::string& one) { return is_dropped(validity_of_first(one), lives, now); });
  if (state.retired.size() <= max_retired) return;
  const auto end_of = [](const std::string& one) { return validity_of_first(one).not_after; };
  std::sort(state.retired.begin(), state.retired.end(),
            [&](const std::string& a, const std::string& b) { return end_of(a) > end_of(b); });
  state.retired.resize(max_retired);
}

Result<std::string> read_key(const Object& secret, const std::string& key, bool is_required = true) {
  const json::View data = secret.root().member("data").member(key);
  if (!data.exists() && !is_required) return std::string();
  if (data.text().empty()) return fail(ErrorCode::invalid, "key " + key + " is missing");
  auto bytes = Bytes::from_base64(data.text());
  if (!bytes) return fail(ErrorCode::invalid, "key " + key + ": " + bytes.error().message);
  return std::move(bytes->data);
}

// Removes the authority to which the private key belongs from the list, and returns both.
Result<http::KeyPair> take_authority(std::vector<std::string>& authorities, const std::string& name,
                                     const std::string& key) {
  std::string error = "key ca.crt is empty";
  for (auto one = authorities.begin(); one != authorities.end(); ++one) {
    const auto checked = http::validate_key_pair({"key ca.crt", *one}, {"key " + name, key});
    if (checked) {
      http::KeyPair found{.certificate = std::move(*one), .key = key};
      authorities.erase(one);
      return found;
    }
    error = checked.error().message;
  }
  return fail(ErrorCode::invalid, std::move(error));
}

}  // namespace

CertificateDates dates_of(const CertificateState& state, const CertificateProfile& profile) {
  CertificateDates dates{.authority = validity_of_first(state.authority.certificate),
                         .serving = validity_of_first(state.serving.certificate),
                         .has_names = has_names(state, profile)};
  if (state.next) dates.next = validity_of_first(state.next->certificate);
  for (const std::string& one : state.retired) dates.retired.push_back(validity_of_first(one));
  return dates;
}

CertificateStep next_step(const CertificateDates& dates, const CertificateLives& lives, bool is_next_trusted,
                          WallTime now) {
  const bool is_valid = is_valid_at(dates.authority, now);
  const bool is_next_valid = dates.next && is_valid_at(*dates.next, now);
  if (is_next_valid && (is_next_trusted || !is_valid || ends_soon(dates.authority, lives, now))) {
    return CertificateStep::sign_with_next;
  }
  if (!is_next_valid && (!is_valid || due_time(dates.authority, lives) <= now)) return CertificateStep::add_authority;
  if (is_valid && is_serving_due(dates, lives, now)) return CertificateStep::renew_serving;
  const bool has_expired = std::any_of(dates.retired.begin(), dates.retired.end(),
                                       [&](const http::Validity& one) { return is_dropped(one, lives, now); });
  return has_expired ? CertificateStep::drop_expired : CertificateStep::none;
}

Result<CertificateState> take_step(CertificateState state, CertificateStep step, const CertificateProfile& profile,
                                   WallTime now) {
  Result<void> done;
  if (step == CertificateStep::add_authority) {
    auto made = make_authority(profile.lives, now);
    if (!made) return fail(std::move(made.error()));
    // A next authority that is not valid at this time may still be trusted by an instance with another clock.
    if (state.next) state.retired.push_back(std::move(state.next->certificate));
    state.next = std::move(*made);
  } else if (step == CertificateStep::sign_with_next && state.next) {
    state.retired.push_back(std::move(state.authority.certificate));
    state.authority = std::move(*state.next);
    state.next.reset();
    done = sign(state, profile, profile.names, now);
  } else if (step == CertificateStep::renew_serving) {
    done = sign(state, profile, all_names(state, profile), now);
  }
  if (!done) return fail(std::move(done.error()));
  drop_expired(state, profile.lives, now);
  return state;
}

Result<CertificateState> make_certificates(const CertificateProfile& profile, std::vector<std::string> retired,
                                           WallTime now) {
  auto authority = make_authority(profile.lives, now);
  if (!authority) return fail(std::move(authority.error()));
  CertificateState state{.authority = std::move(*authority), .retired = std::move(retired)};
  if (auto done = sign(state, profile, profile.names, now); !done) return fail(std::move(done.error()));
  drop_expired(state, profile.lives, now);
  return state;
}

WallTime renewal_time(const CertificateState& state, const CertificateLives& lives) {
  return due_time(validity_of_first(state.serving.certificate), lives);
}

std::vector<std::string> trusted_authorities(const CertificateState& state) {
  std::vector<std::string> all{state.authority.certificate};
  const auto add = [&](const std::string& one) {
    if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
  };
  if (state.next) add(state.next->certificate);
  for (const std::string& one : state.retired) add(one);
  return all;
}

json::object secret_data(const CertificateState& state) {
  std::string authorities;
  for (const std::string& one : trusted_authorities(state)) authorities += one;
  json::object data{{"tls.crt", Bytes(state.serving.certificate).to_base64()},
                    {"tls.key", Bytes(state.serving.key).to_base64()},
                    {"ca.crt", Bytes(authorities).to_base64()},
                    {"ca.key", Bytes(state.authority.key).to_base64()}};
  if (state.next) data["next-ca.key"] = Bytes(state.next->key).to_base64();
  return data;
}

Result<CertificateState> read_certificate_state(const Object& secret) {
  CertificateState state;
  auto certificate = read_key(secret, "tls.crt");
  if (!certificate) return fail(std::move(certificate.error()));
  auto key = read_key(secret, "tls.key");
  if (!key) return fail(std::move(key.error()));
  const auto fits = http::validate_key_pair({"key tls.crt", *certificate}, {"key tls.key", *key});
  if (!fits) return fail(fits.error());
  state.serving = {.certificate = std::move(*certificate), .key = std::move(*key)};

  const auto bundle = read_key(secret, "ca.crt");
  if (!bundle) return fail(bundle.error());
  auto authorities = http::describe_certificates({"key ca.crt", *bundle});
  if (!authorities) return fail(std::move(authorities.error()));
  for (http::CertificateInfo& one : *authorities) state.retired.push_back(std::move(one.pem));

  const auto authority_key = read_key(secret, "ca.key");
  if (!authority_key) return fail(authority_key.error());
  auto authority = take_authority(state.retired, "ca.key", *authority_key);
  if (!authority) return fail(std::move(authority.error()));
  state.authority = std::move(*authority);
  if (!http::is_signed_by(state.serving.certificate, state.authority.certificate)) {
    return fail(ErrorCode::invalid, "key tls.crt: the authority of key ca.key did not sign this certificate");
  }

  const auto next_key = read_key(secret, "next-ca.key", false);
  if (!next_key) return fail(next_key.error());
  if (next_key->empty()) return state;
  auto next = take_authority(state.retired, "next-ca.key", *next_key);
  if (!next) return fail(std::move(next.error()));
  state.next = std::move(*next);
  return state;
}

}  // namespace pintle
