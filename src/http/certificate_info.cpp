// SPDX-License-Identifier: Apache-2.0
#include "certificate_info.hpp"

#include <chrono>
#include <utility>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "pem_parts.hpp"

namespace pintle::http {
namespace {

using Store = std::unique_ptr<X509_STORE, Freer<X509_STORE_free>>;
using StoreContext = std::unique_ptr<X509_STORE_CTX, Freer<X509_STORE_CTX_free>>;
using AlternativeNames = std::unique_ptr<GENERAL_NAMES, Freer<GENERAL_NAMES_free>>;
using Chain = std::unique_ptr<STACK_OF(X509), decltype([](STACK_OF(X509) * stack) { sk_X509_free(stack); })>;

std::string pem_of(X509* certificate) {
  const Bio bio(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(bio.get(), certificate);
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

std::string text_of(const ASN1_STRING* text) {
  const auto* data = reinterpret_cast<const char*>(ASN1_STRING_get0_data(text));
  return {data, static_cast<std::size_t>(ASN1_STRING_length(text))};
}

std::string common_name_of(const X509* certificate) {
  const X509_NAME* subject = X509_get_subject_name(certificate);
  const int at = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
  return at < 0 ? std::string() : text_of(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at)));
}

std::string address_text(const ASN1_OCTET_STRING* address) {
  const std::string bytes = text_of(address);
  const bool is_v4 = bytes.size() == 4;
  std::string text;
  char part[8];
  for (std::size_t i = 0; i < bytes.size(); i += is_v4 ? 1 : 2) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned>(static_cast<unsigned char>(bytes[at])); };
    if (is_v4) {
      (void)BIO_snprintf(part, sizeof(part), "%u", byte(i));
    } else {
      (void)BIO_snprintf(part, sizeof(part), "%x", byte(i) << 8U | (i + 1 < bytes.size() ? byte(i + 1) : 0U));
    }
    text += (text.empty() ? "" : is_v4 ? "." : ":") + std::string(part);
  }
  return text;
}

std::vector<std::string> names_of(const X509* certificate) {
  const AlternativeNames names(
      static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
  std::vector<std::string> all;
  for (int i = 0; names != nullptr && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(names.get(), i);
    if (name->type == GEN_DNS) all.push_back(text_of(name->d.dNSName));
    if (name->type == GEN_IPADD) all.push_back(address_text(name->d.iPAddress));
  }
  return all;
}

bool is_for_host(X509* certificate, const std::string& host) {
  return X509_check_ip_asc(certificate, host.c_str(), 0) == 1 ||
         X509_check_host(certificate, host.data(), host.size(), X509_CHECK_FLAG_NEVER_CHECK_SUBJECT, nullptr) == 1;
}

Result<void> verify(const Store& store, std::string_view trusted, PemText certificate, const std::string& host,
                    WallTime now) {
  const auto leaf = parse_certificates(certificate);
  if (!leaf) return fail(leaf.error());
  const Chain chain(sk_X509_new_null());
  for (std::size_t i = 1; i < leaf->size(); ++i) sk_X509_push(chain.get(), (*leaf)[i].get());
  const StoreContext context(X509_STORE_CTX_new());
  X509_STORE_CTX_init(context.get(), store.get(), leaf->front().get(), chain.get());
  X509_STORE_CTX_set_purpose(context.get(), X509_PURPOSE_SSL_SERVER);
  X509_STORE_CTX_set_flags(context.get(), X509_V_FLAG_PARTIAL_CHAIN);
  X509_STORE_CTX_set_time(context.get(), 0, std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count());
  const bool is_verified = X509_verify_cert(context.get()) == 1;
  const int reason = X509_STORE_CTX_get_error(context.get());
  const bool is_host = is_for_host(leaf->front().get(), host);
  ERR_clear_error();
  if (!is_verified) {
    return fail(ErrorCode::invalid, std::string(certificate.name) + " cannot be verified with " + std::string(trusted) +
                                        ": " + X509_verify_cert_error_string(reason));
  }
  if (is_host) return {};
  return fail(ErrorCode::invalid, std::string(certificate.name) + " is not valid for " + host);
}

}  // namespace

Result<std::vector<CertificateInfo>> describe_certificates(PemText pem) {
  const auto parsed = parse_certificates(pem);
  if (!parsed) return fail(parsed.error());
  std::vector<CertificateInfo> all;
  for (const Certificate& one : *parsed) {
    all.push_back({.pem = pem_of(one.get()),
                   .common_name = common_name_of(one.get()),
                   .names = names_of(one.get()),
                   .validity = validity_of(*one)});
  }
  ERR_clear_error();
  return all;
}

bool is_valid_for_host(std::string_view certificate, const std::string& host) {
  const auto parsed = parse_certificates({"", certificate});
  const bool is_valid = parsed && is_for_host(parsed->front().get(), host);
  ERR_clear_error();
  return is_valid;
}

bool is_signed_by(std::string_view certificate, std::string_view authority) {
  const auto parsed = parse_certificates({"", certificate});
  const auto issuer = parse_certificates({"", authority});
  const bool is_signed =
      parsed && issuer && X509_verify(parsed->front().get(), X509_get0_pubkey(issuer->front().get())) == 1;
  ERR_clear_error();
  return is_signed;
}

Result<void> verify_server_certificate(PemText certificate, PemText trusted, const std::string& host, WallTime now) {
  const auto authorities = parse_certificates(trusted);
  if (!authorities) return fail(authorities.error());
  const Store store(X509_STORE_new());
  for (const Certificate& one : *authorities) X509_STORE_add_cert(store.get(), one.get());
  return verify(store, trusted.name, certificate, host, now);
}

Result<void> verify_with_system_trust(PemText certificate, const std::string& host, WallTime now) {
  const Store store(X509_STORE_new());
  X509_STORE_set_default_paths(store.get());
  return verify(store, "the authorities of the system", certificate, host, now);
}

}  // namespace pintle::http
