// SPDX-License-Identifier: Apache-2.0
#include "peer_certificate.hpp"

#include <string>

#include <openssl/ssl.h>
#include <openssl/x509.h>

namespace pintle::http {
namespace {

std::string text_of(const X509_NAME_ENTRY* entry) {
  unsigned char* text = nullptr;
  const int size = ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(entry));
  if (size < 0) return {};
  const std::unique_ptr<unsigned char, void (*)(unsigned char*)> owned(text,
                                                                       [](unsigned char* one) { OPENSSL_free(one); });
  return {owned.get(), owned.get() + size};
}

}  // namespace

std::shared_ptr<const CertificateSubject> subject_of_peer(const SSL* connection) {
  const X509* certificate = SSL_get0_peer_certificate(connection);
  if (certificate == nullptr) return nullptr;
  const X509_NAME* name = X509_get_subject_name(certificate);
  CertificateSubject subject;
  for (int i = 0; i < X509_NAME_entry_count(name); ++i) {
    const X509_NAME_ENTRY* entry = X509_NAME_get_entry(name, i);
    const int field = OBJ_obj2nid(X509_NAME_ENTRY_get_object(entry));
    if (field == NID_commonName) subject.common_name = text_of(entry);
    if (field == NID_organizationName) subject.organizations.push_back(text_of(entry));
  }
  return std::make_shared<const CertificateSubject>(std::move(subject));
}

}  // namespace pintle::http
