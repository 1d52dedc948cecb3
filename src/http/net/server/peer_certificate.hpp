// SPDX-License-Identifier: Apache-2.0
// The subject of the certificate of a TLS peer.
#pragma once

#include <memory>

#include <openssl/types.h>

#include <pintle/http/message.hpp>

namespace pintle::http {

// Returns null if the peer has no certificate.
[[nodiscard]] std::shared_ptr<const CertificateSubject> subject_of_peer(const SSL* connection);

}  // namespace pintle::http
