// SPDX-License-Identifier: Apache-2.0
#include "errors.hpp"

#include <cerrno>
#include <memory>
#include <vector>

#include <gtest/gtest.h>
#include <openssl/x509_vfy.h>

namespace pintle::http {
namespace {

Request request(bool tls, std::string method = "GET") {
  return {.method = std::move(method),
          .target = "/api?x=1",
          .endpoint = std::make_shared<Endpoint>(Endpoint{.tls = tls, .host = "example.test", .port = 6443})};
}

TEST(NetworkErrors, NameTheRequestTheCauseAndTheRemedy) {
  struct Case {
    Failure failure;
    bool tls;
    ErrorCode code;
    std::string message;
  };
  const std::string https = "GET https://example.test:6443/api: ";
  const std::string http = "GET http://example.test:6443/api: ";
  const std::vector<Case> cases = {
      {{.code = CURLE_COULDNT_RESOLVE_HOST},
       true,
       ErrorCode::unreachable,
       https + "cannot resolve the host \"example.test\": check the server address and DNS"},
      {{.code = CURLE_COULDNT_RESOLVE_HOST, .os_error = EMFILE},
       true,
       ErrorCode::unreachable,
       https + "this process has no file descriptors left for the network: raise its limit of open files"},
      {{.code = CURLE_PEER_FAILED_VERIFICATION, .proxy_verify_result = X509_V_ERR_CERT_HAS_EXPIRED},
       true,
       ErrorCode::unreachable,
       https + "the certificate of the proxy cannot be trusted (certificate has expired): check proxy-url and "
               "certificate-authority-data of the kubeconfig"},
      {{.code = CURLE_COULDNT_CONNECT, .os_error = ECONNREFUSED},
       false,
       ErrorCode::unreachable,
       http + "connection refused: check the server address and that the server runs"},
      {{.code = CURLE_COULDNT_CONNECT, .os_error = EHOSTUNREACH},
       false,
       ErrorCode::unreachable,
       http + "no route to the server: check the server address and the network"},
      {{.code = CURLE_OPERATION_TIMEDOUT, .connect_timeout = std::chrono::seconds(10)},
       true,
       ErrorCode::unreachable,
       https + "no connection within 10s: check the server address and firewalls"},
      {{.code = CURLE_PEER_FAILED_VERIFICATION, .verify_result = X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN},
       true,
       ErrorCode::unreachable,
       https + "the server's certificate is signed by an unknown authority: check certificate-authority-data of the "
               "kubeconfig or, in a pod, ca.crt of its service account"},
      {{.code = CURLE_PEER_FAILED_VERIFICATION, .verify_result = X509_V_ERR_CERT_HAS_EXPIRED},
       true,
       ErrorCode::unreachable,
       https + "the server's certificate has expired: renew it, or check the clock of this machine"},
      {{.code = CURLE_PEER_FAILED_VERIFICATION,
        .verify_result = 1,
        .detail = "SSL: no alternative certificate subject name matches target host name"},
       true,
       ErrorCode::unreachable,
       https + "the server's certificate is not valid for \"example.test\": use a name in the certificate, or set "
               "tls-server-name in the kubeconfig"},
      {{.code = CURLE_RECV_ERROR, .detail = "SSL routines::tlsv13 alert certificate required"},
       true,
       ErrorCode::unreachable,
       https + "the server rejected the client certificate, or requires one: check client-certificate-data and "
               "client-key-data of the kubeconfig"},
      {{.code = CURLE_SSL_CONNECT_ERROR, .detail = "SSL routines::wrong version number"},
       true,
       ErrorCode::unreachable,
       https + "the server does not use TLS on this port: check whether its address begins with http://"},
      {{.code = CURLE_SSL_CACERT_BADFILE},
       true,
       ErrorCode::invalid,
       https + "certificate-authority-data of the kubeconfig contains no certificate"},
      {{.code = CURLE_PARTIAL_FILE, .has_head = true},
       true,
       ErrorCode::unreachable,
       https + "the connection broke before the response was complete"},
      {{.code = CURLE_GOT_NOTHING},
       false,
       ErrorCode::unreachable,
       http + "the server closed the connection without a response; if the server expects TLS, its address begins with "
              "https://"},
  };
  for (const Case& c : cases) {
    const Error error = explain(c.failure, request(c.tls));
    EXPECT_EQ(error.message, c.message);
    EXPECT_EQ(error.code, c.code) << c.message;
  }
}

TEST(NetworkErrors, MarkAnUntrustedCertificate) {
  const Failure expired{.code = CURLE_PEER_FAILED_VERIFICATION, .verify_result = X509_V_ERR_CERT_HAS_EXPIRED};
  EXPECT_EQ(explain(expired, request(true)).reason, untrusted_certificate);
  EXPECT_EQ(explain({.code = CURLE_COULDNT_CONNECT, .os_error = ECONNREFUSED}, request(true)).reason, "");
}

TEST(NetworkErrors, WarnThatTheRequestMayHaveBeenExecuted) {
  const Error error = explain({.code = CURLE_GOT_NOTHING}, request(true, "POST"));

  EXPECT_EQ(error.message,
            "POST https://example.test:6443/api: the server closed the connection without a response; the server may "
            "have executed the request");
}

}  // namespace
}  // namespace pintle::http
