// SPDX-License-Identifier: Apache-2.0
#include "tls.hpp"

#include <algorithm>
#include <memory>

namespace pintle::http {
namespace {

// sk_X509_free() is not a function that can be a template argument.
void free_stack(STACK_OF(X509) * stack) { sk_X509_free(stack); }

}  // namespace

bool use_key_pair(SSL_CTX* context, const ParsedKeyPair& identity) {
  const std::unique_ptr<STACK_OF(X509), Freer<free_stack>> chain(sk_X509_new_null());
  for (std::size_t i = 1; i < identity.certificates.size(); ++i) {
    if (sk_X509_push(chain.get(), identity.certificates[i].get()) == 0) return false;
  }
  constexpr int replace = 1;
  return SSL_CTX_use_cert_and_key(context, identity.certificates.front().get(), identity.key.get(), chain.get(),
                                  replace) == 1;
}

bool trust(SSL_CTX* context, const std::vector<Certificate>& authorities) {
  X509_STORE* store = SSL_CTX_get_cert_store(context);
  // Otherwise only self-signed certificates are trusted, and not an intermediate or the certificate of the peer itself.
  // Go and curl accept all three.
  X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN);
  return std::ranges::all_of(authorities,
                             [&](const Certificate& one) { return X509_STORE_add_cert(store, one.get()) == 1; });
}

}  // namespace pintle::http
