// SPDX-License-Identifier: Apache-2.0
// first error: pintle::Required<std::__cxx11::basic_string<char> >
#include <pintle/patterns/watcher.hpp>

auto options() {
  return pintle::watcher::WebhookServerOptions{
      .port = 9443,
      .cert_path = "tls.crt",
#ifndef WITH_ERROR
      .key_path = "tls.key",
#endif
  };
}
