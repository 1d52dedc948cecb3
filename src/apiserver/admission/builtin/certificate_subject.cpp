// SPDX-License-Identifier: Apache-2.0
// CertificateSubjectRestriction.
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <memory>
#include <string_view>

#include <fmt/format.h>

#include <pintle/object/bytes.hpp>

#include "apiserver/registry/values.hpp"
#include "plugin_parts.hpp"

namespace pintle::apiserver {
namespace {

constexpr std::string_view restricted_signer = "kubernetes.io/kube-apiserver-client";
constexpr std::string_view restricted_group = "system:masters";

struct SubjectDelete {
  void operator()(BIO* file) const { BIO_free_all(file); }
  void operator()(X509_REQ* request) const { X509_REQ_free(request); }
  void operator()(unsigned char* text) const { OPENSSL_free(text); }
};

// Without a callback, OpenSSL reads the password of an encrypted file from the terminal.
int no_password(char* /*buffer*/, int /*size*/, int /*writes*/, void* /*user*/) { return 0; }

// True if the subject of a request in PEM contains a group. The groups of a user are the organizations in its
// certificate.
bool has_group(std::string_view pem, std::string_view group) {
  const std::unique_ptr<BIO, SubjectDelete> file(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  const std::unique_ptr<X509_REQ, SubjectDelete> request(
      PEM_read_bio_X509_REQ(file.get(), nullptr, no_password, nullptr));
  ERR_clear_error();
  if (request == nullptr) return false;
  const X509_NAME* subject = X509_REQ_get_subject_name(request.get());
  int at = -1;
  while ((at = X509_NAME_get_index_by_NID(subject, NID_organizationName, at)) >= 0) {
    unsigned char* made = nullptr;
    const int size = ASN1_STRING_to_UTF8(&made, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at)));
    const std::unique_ptr<unsigned char, SubjectDelete> text(made);
    if (size >= 0 && std::string_view(reinterpret_cast<const char*>(made), static_cast<std::size_t>(size)) == group) {
      return true;
    }
  }
  return false;
}

}  // namespace

StatusOr<void> check_certificate_subject(const Attributes& attributes, const json::Value& request) {
  const std::string_view signer = text_at(request, "/spec/signerName");
  if (signer != restricted_signer) return {};
  const auto pem = Bytes::from_base64(text_at(request, "/spec/request"));
  if (!pem || !has_group(pem->data, restricted_group)) return {};
  return refuse(plugin_denial(attributes, request,
                              fmt::format("use of {} signer with {} group is not allowed", signer, restricted_group)));
}

}  // namespace pintle::apiserver
