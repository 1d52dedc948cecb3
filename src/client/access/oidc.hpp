// SPDX-License-Identifier: Apache-2.0
// OidcSession: obtains tokens from an OpenID Connect provider with a refresh token.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include <pintle/base/executor.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/result.hpp>
#include <pintle/client/credentials.hpp>
#include <pintle/http/transport.hpp>

#include "renewal.hpp"

namespace pintle {

// Used by one thread at a time.
class OidcSession {
 public:
  OidcSession(OidcProvider provider, Executor& executor, std::shared_ptr<http::Transport> transport, Log log,
              std::string origin);

  // Returns the ID token of the configuration while it is valid, once, and afterwards a new one. A new refresh token
  // replaces the old one in memory only. Errors: invalid, if a person must log in again; unavailable; cancelled.
  [[nodiscard]] Result<ObtainedCredential> obtain(std::stop_token stop);

 private:
  [[nodiscard]] Result<ObtainedCredential> refresh(const std::stop_token& stop);
  [[nodiscard]] Result<std::string> find_token_endpoint(const std::stop_token& stop) const;
  [[nodiscard]] Result<http::BufferedResponse> request_token(const std::string& url, bool with_header,
                                                             const std::stop_token& stop) const;
  [[nodiscard]] Result<ObtainedCredential> keep(std::string_view body);
  [[nodiscard]] Result<http::Request> request_to(std::string_view url) const;
  [[nodiscard]] Result<http::BufferedResponse> send(http::Request request, const std::stop_token& stop) const;

  OidcProvider provider_;
  Executor& executor_;
  const std::shared_ptr<http::Transport> transport_;
  const Log log_;
  const std::string origin_;
  bool has_warned_ = false;
};

// Returns the time in the claim "exp" of a JSON web token, whose signature is not checked. Error: invalid.
[[nodiscard]] Result<WallTime> expiry_of_jwt(std::string_view token);

}  // namespace pintle
