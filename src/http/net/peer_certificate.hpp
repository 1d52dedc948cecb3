// Whose certificate the peer of a TLS connection has shown.
#pragma once

#include <memory>

#include <openssl/types.h>

#include <pintle/http/message.hpp>

namespace pintle::http {

// None without one.
[[nodiscard]] std::shared_ptr<const CertificateSubject> subject_of_peer(const SSL* connection);

}  // namespace pintle::http
