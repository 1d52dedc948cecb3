// SPDX-License-Identifier: Apache-2.0
// Explains the failure of an exchange over the network, in messages that state what to do.
#pragma once

#include <string>

#include <curl/curl.h>

#include <pintle/base/error.hpp>
#include <pintle/base/time.hpp>
#include <pintle/http/message.hpp>
#include <pintle/http/transport.hpp>

namespace pintle::http {

// The details of a failure, in the terms of libcurl.
struct Failure {
  CURLcode code = CURLE_OK;
  int os_error = 0;
  long verify_result = 0;        // X509_V_…
  long proxy_verify_result = 0;  // of the certificate of an https proxy
  std::string detail{};          // the message of libcurl
  bool has_head = false;
  Duration connect_timeout{};
};

// Whether the failure is that this process has no file descriptors left.
[[nodiscard]] bool lacks_descriptors(const Failure& failure) noexcept;
[[nodiscard]] Error out_of_descriptors(const Request& request);
[[nodiscard]] Error explain(const Failure& failure, const Request& request);

}  // namespace pintle::http
