// SPDX-License-Identifier: Apache-2.0
#include <pintle/http/certificates.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include "openssl.hpp"
#include "pem_parts.hpp"

namespace pintle::http {
namespace {

using Extension = std::unique_ptr<X509_EXTENSION, Freer<X509_EXTENSION_free>>;
using Name = std::unique_ptr<GENERAL_NAME, Freer<GENERAL_NAME_free>>;
using Names = std::unique_ptr<GENERAL_NAMES, Freer<GENERAL_NAMES_free>>;
using Text = std::unique_ptr<ASN1_STRING, Freer<ASN1_STRING_free>>;

enum class Purpose { authority, server, client };

tl::unexpected<Error> failure(const std::string& what) {
  const char* reason = ERR_reason_error_string(ERR_peek_last_error());
  ERR_clear_error();
  return fail(ErrorCode::invalid, reason == nullptr ? what : what + ": " + reason);
}

template <class Write>
std::string written(const Write& write) {
  const Bio bio(BIO_new(BIO_s_mem()));
  write(bio.get());
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

// The top bit is 0, so that the number is positive and has a fixed length.
bool set_serial(X509* certificate) {
  unsigned char bytes[16];
  if (RAND_bytes(bytes, sizeof(bytes)) != 1) return false;
  bytes[0] = static_cast<unsigned char>((bytes[0] & 0x3fU) | 0x40U);
  const std::unique_ptr<BIGNUM, Freer<BN_free>> number(BN_bin2bn(bytes, sizeof(bytes), nullptr));
  return BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr;
}

bool set_time(ASN1_TIME* field, WallTime time) {
  return ASN1_TIME_set(field, std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count()) != nullptr;
}

bool add_to_subject(X509_NAME* subject, const char* field, const std::string& value) {
  const auto* text = reinterpret_cast<const unsigned char*>(value.data());
  return X509_NAME_add_entry_by_txt(subject, field, MBSTRING_UTF8, text, static_cast<int>(value.size()), -1, 0) == 1;
}

bool set_subject(X509* certificate, const CertificateOptions& options) {
  X509_NAME* subject = X509_get_subject_name(certificate);
  for (const std::string& organization : options.organizations) {
    if (!add_to_subject(subject, "O", organization)) return false;
  }
  return options.common_name.empty() || add_to_subject(subject, "CN", options.common_name);
}

// Use it only with constant text: commas and colons in it have a meaning for OpenSSL.
bool add_extension(X509* certificate, X509* issuer, int kind, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, kind, value));
  return extension != nullptr && X509_add_ext(certificate, extension.get(), -1) == 1;
}

Name alternative_name(const std::string& text) {
  Name name(GENERAL_NAME_new());
  if (ASN1_OCTET_STRING* address = a2i_IPADDRESS(text.c_str())) {
    GENERAL_NAME_set0_value(name.get(), GEN_IPADD, address);
    return name;
  }
  Text dns(ASN1_IA5STRING_new());
  if (ASN1_STRING_set(dns.get(), text.data(), static_cast<int>(text.size())) != 1) return nullptr;
  GENERAL_NAME_set0_value(name.get(), GEN_DNS, dns.release());
  return name;
}

bool add_names(X509* certificate, const std::vector<std::string>& texts) {
  if (texts.empty()) return true;
  const Names names(GENERAL_NAMES_new());
  for (const std::string& text : texts) {
    Name name = alternative_name(text);
    if (name == nullptr || sk_GENERAL_NAME_push(names.get(), name.get()) == 0) return false;
    (void)name.release();
  }
  return X509_add1_ext_i2d(certificate, NID_subject_alt_name, names.get(), 0, X509V3_ADD_DEFAULT) == 1;
}

bool add_extensions(X509* certificate, X509* issuer, Purpose purpose) {
  const auto add = [&](int kind, const char* value) { return add_extension(certificate, issuer, kind, value); };
  if (!add(NID_subject_key_identifier, "hash")) return false;
  if (purpose == Purpose::authority) {
    return add(NID_basic_constraints, "critical,CA:TRUE") && add(NID_key_usage, "critical,keyCertSign,cRLSign");
  }
  return add(NID_authority_key_identifier, "keyid") && add(NID_basic_constraints, "critical,CA:FALSE") &&
         add(NID_key_usage, "critical,digitalSignature") &&
         add(NID_ext_key_usage, purpose == Purpose::server ? "serverAuth" : "clientAuth");
}

Result<void> check(const CertificateOptions& options, Purpose purpose) {
  if (options.not_after <= options.not_before) {
    return fail(ErrorCode::invalid, "not_after of a certificate must be later than not_before");
  }
  if (purpose == Purpose::server && options.names.empty()) {
    return fail(ErrorCode::invalid, "names of a server certificate must have at least one DNS name or IP address");
  }
  for (const std::string& name : options.names) {
    if (name.empty() || name.find_first_of(" ,/:@") != std::string::npos) {
      const std::unique_ptr<ASN1_OCTET_STRING, Freer<ASN1_OCTET_STRING_free>> address(a2i_IPADDRESS(name.c_str()));
      if (address == nullptr) return failure("\"" + name + "\" is neither a DNS name nor an IP address");
    }
  }
  return {};
}

// The certificate is signed by `issuer`; by its own key if `issuer` is null.
Result<KeyPair> make(X509* issuer, EVP_PKEY* issuer_key, const CertificateOptions& options, Purpose purpose) {
  if (auto checked = check(options, purpose); !checked) return fail(std::move(checked.error()));
  const Key key(EVP_EC_gen("P-256"));
  const Certificate made(X509_new());
  X509* certificate = made.get();
  if (key == nullptr || certificate == nullptr) return failure("cannot generate a key");
  if (issuer == nullptr) issuer = certificate;
  if (issuer_key == nullptr) issuer_key = key.get();

  const bool is_complete =
      X509_set_version(certificate, X509_VERSION_3) == 1 && set_serial(certificate) &&
      set_time(X509_getm_notBefore(certificate), options.not_before) &&
      set_time(X509_getm_notAfter(certificate), options.not_after) && set_subject(certificate, options) &&
      X509_set_issuer_name(certificate, X509_get_subject_name(issuer)) == 1 &&
      X509_set_pubkey(certificate, key.get()) == 1 && add_extensions(certificate, issuer, purpose) &&
      add_names(certificate, options.names) && X509_sign(certificate, issuer_key, EVP_sha256()) != 0;
  if (!is_complete) return failure("cannot create a certificate for \"" + options.common_name + "\"");

  return KeyPair{
      .certificate = written([&](BIO* bio) { PEM_write_bio_X509(bio, certificate); }),
      .key = written(
          [&](BIO* bio) { PEM_write_bio_PKCS8PrivateKey(bio, key.get(), nullptr, nullptr, 0, nullptr, nullptr); }),
  };
}

Result<KeyPair> make_signed(const KeyPair& authority, const CertificateOptions& options, Purpose purpose) {
  const auto issuer =
      parse_key_pair({"the authority's certificate", authority.certificate}, {"the authority's key", authority.key});
  if (!issuer) return fail(issuer.error());
  return make(issuer->certificates.front().get(), issuer->key.get(), options, purpose);
}

}  // namespace

Result<KeyPair> make_authority(const CertificateOptions& options) {
  return make(nullptr, nullptr, options, Purpose::authority);
}

Result<KeyPair> make_server_certificate(const KeyPair& authority, const CertificateOptions& options) {
  return make_signed(authority, options, Purpose::server);
}

Result<KeyPair> make_client_certificate(const KeyPair& authority, const CertificateOptions& options) {
  return make_signed(authority, options, Purpose::client);
}

Result<SelfSignedKeyPair> make_self_signed_key_pair(const std::string& common_name, const std::string& host,
                                                    WallTime now) {
  return make_self_signed_key_pair(common_name, std::vector<std::string>{host}, now);
}

Result<SelfSignedKeyPair> make_self_signed_key_pair(const std::string& common_name,
                                                    const std::vector<std::string>& hosts, WallTime now) {
  constexpr auto day = std::chrono::hours(24);
  CertificateOptions options{.common_name = common_name, .not_before = now - day, .not_after = now + 3650 * day};
  auto authority = make_authority(options);
  if (!authority) return fail(std::move(authority.error()));
  options.names = {"localhost", "127.0.0.1", "::1"};
  for (const std::string& host : hosts) {
    const bool is_one_address = !host.empty() && host != "0.0.0.0" && host != "::";
    const bool is_known = std::find(options.names.begin(), options.names.end(), host) != options.names.end();
    if (is_one_address && !is_known) options.names.push_back(host);
  }
  auto server = make_server_certificate(*authority, options);
  if (!server) return fail(std::move(server.error()));
  return SelfSignedKeyPair{.authority = std::move(authority->certificate), .server = std::move(*server)};
}

}  // namespace pintle::http
