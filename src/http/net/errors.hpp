// What went wrong with an exchange over the network, said so that a person can mend it.
#pragma once

#include <string>

#include <curl/curl.h>

#include <pintle/base/error.hpp>
#include <pintle/base/time.hpp>
#include <pintle/http/message.hpp>
#include <pintle/http/transport.hpp>

namespace pintle::http {

// What libcurl knows of a failure.
struct Failure {
  CURLcode code = CURLE_OK;
  int os_error = 0;
  long verify_result = 0;  // X509_V_…
  std::string detail{};    // its own words
  bool has_head = false;
  Duration connect_timeout{};
};

[[nodiscard]] Error explain(const Failure& failure, const Request& request);

}  // namespace pintle::http
