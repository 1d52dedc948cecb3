// SPDX-License-Identifier: Apache-2.0
#include <pintle/http/pem.hpp>

#include <algorithm>
#include <chrono>
#include <climits>
#include <ctime>
#include <iterator>

#include <openssl/err.h>
#include <openssl/pem.h>

#include <fmt/format.h>

#include "pem_parts.hpp"

namespace pintle::http {
namespace {

constexpr std::string_view first_line = "-----BEGIN CERTIFICATE-----";

Bio reading(std::string_view pem) {
  const std::size_t size = std::min<std::size_t>(pem.size(), INT_MAX);
  return Bio(BIO_new_mem_buf(pem.empty() ? "" : pem.data(), static_cast<int>(size)));
}

// Replaces the default function, which reads the passphrase from the terminal.
int refuse_passphrase(char*, int, int, void* was_called) {
  *static_cast<bool*>(was_called) = true;
  return -1;
}

// Returns the last error of OpenSSL on this thread and removes it, because libcurl and Asio read the same list.
unsigned long take_error() {
  const unsigned long error = ERR_peek_last_error();
  ERR_clear_error();
  return error;
}

std::string reason_of(unsigned long error) {
  const char* reason = ERR_reason_error_string(error);
  return reason == nullptr ? "" : fmt::format(" ({})", reason);
}

std::size_t count_first_lines(std::string_view pem) {
  std::size_t count = 0;
  for (std::size_t at = pem.find(first_line); at != std::string_view::npos; at = pem.find(first_line, at + 1)) ++count;
  return count;
}

auto not_a_certificate(PemText pem, std::string_view why) {
  return fail(ErrorCode::invalid, fmt::format("{} is not a PEM certificate: {}", pem.name, why));
}

Result<Key> parse_private_key(PemText pem) {
  bool is_encrypted = false;
  Key key(PEM_read_bio_PrivateKey(reading(pem.text).get(), nullptr, refuse_passphrase, &is_encrypted));
  const unsigned long error = take_error();
  if (key != nullptr) return key;
  if (is_encrypted) {
    return fail(ErrorCode::invalid,
                fmt::format("{} is encrypted, and its passphrase cannot be entered; decrypt the key", pem.name));
  }
  return fail(
      ErrorCode::invalid,
      fmt::format("{} is not a PEM private key: it has no complete \"PRIVATE KEY\" block{}; copy the whole file",
                  pem.name, reason_of(error)));
}

WallTime to_wall_time(const ASN1_TIME* time, WallTime otherwise) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return otherwise;
  const int year = parts.tm_year + 1900;
  if (year < 1700) return WallTime::min();
  if (year > 2250) return WallTime::max();
  using namespace std::chrono;
  const sys_days date(year_month_day(std::chrono::year(year), month(static_cast<unsigned>(parts.tm_mon) + 1),
                                     day(static_cast<unsigned>(parts.tm_mday))));
  return date + hours(parts.tm_hour) + minutes(parts.tm_min) + seconds(parts.tm_sec);
}

}  // namespace

Validity validity_of(const X509& certificate) {
  return {.not_before = to_wall_time(X509_get0_notBefore(&certificate), WallTime::max()),
          .not_after = to_wall_time(X509_get0_notAfter(&certificate), WallTime::min())};
}

Result<std::vector<Certificate>> parse_certificates(PemText pem) {
  ERR_clear_error();
  std::vector<Certificate> parsed;
  bool is_encrypted = false;
  const Bio bio = reading(pem.text);
  while (X509* one = PEM_read_bio_X509(bio.get(), nullptr, refuse_passphrase, &is_encrypted)) parsed.emplace_back(one);
  const unsigned long error = take_error();
  const bool is_end = ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
  // OpenSSL skips a first line that does not begin a line of the text.
  if (!is_end || parsed.size() < count_first_lines(pem.text)) {
    return not_a_certificate(pem, fmt::format("certificate {} in it is truncated or malformed{}; copy the whole file",
                                              parsed.size() + 1, is_end ? "" : reason_of(error)));
  }
  if (parsed.empty()) return not_a_certificate(pem, fmt::format("it has no line \"{}\"", first_line));
  return parsed;
}

Result<ParsedKeyPair> parse_key_pair(PemText certificate, PemText key) {
  auto certificates = parse_certificates(certificate);
  if (!certificates) return fail(std::move(certificates.error()));
  auto parsed = parse_private_key(key);
  if (!parsed) return fail(std::move(parsed.error()));
  const bool belongs = X509_check_private_key(certificates->front().get(), parsed->get()) == 1;
  ERR_clear_error();
  if (belongs) return ParsedKeyPair{.certificates = std::move(*certificates), .key = std::move(*parsed)};
  return fail(ErrorCode::invalid, fmt::format("{} does not belong to {}; use the key of its first certificate",
                                              key.name, certificate.name));
}

Result<std::vector<Validity>> validate_certificates(PemText pem) {
  const auto parsed = parse_certificates(pem);
  if (!parsed) return fail(parsed.error());
  std::vector<Validity> all;
  std::ranges::transform(*parsed, std::back_inserter(all), [](const Certificate& one) { return validity_of(*one); });
  return all;
}

Result<Validity> validate_key_pair(PemText certificate, PemText key) {
  const auto parsed = parse_key_pair(certificate, key);
  if (!parsed) return fail(parsed.error());
  return validity_of(*parsed->certificates.front());
}

}  // namespace pintle::http
