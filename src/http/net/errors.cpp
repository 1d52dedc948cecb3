// SPDX-License-Identifier: Apache-2.0
#include "errors.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <openssl/x509_vfy.h>

#include "http/exchange.hpp"

namespace pintle::http {
namespace {

constexpr std::string_view no_descriptors =
    "this process has no file descriptors left for the network: raise its limit of open files";
constexpr std::string_view check_address = "check the server address and that the server runs";

bool mentions(const Failure& failure, std::string_view text) { return failure.detail.find(text) != std::string::npos; }

// Returns whether the server rejected the client certificate with a TLS alert.
bool refuses_client(const Failure& failure) {
  constexpr auto alerts = std::to_array<std::string_view>({"alert certificate", "alert bad certificate",
                                                           "alert unknown ca", "alert unsupported certificate",
                                                           "alert access denied", "alert handshake failure"});
  return std::any_of(alerts.begin(), alerts.end(), [&](std::string_view alert) { return mentions(failure, alert); });
}

std::string explain_certificate(const Failure& failure, const Endpoint& endpoint) {
  // libcurl, which connects to proxies, checks the name first and has no verify result at that time.
  if (failure.verify_result == X509_V_ERR_HOSTNAME_MISMATCH ||
      failure.verify_result == X509_V_ERR_IP_ADDRESS_MISMATCH || mentions(failure, "subject name")) {
    return fmt::format(
        "the server's certificate is not valid for \"{}\": use a name in the certificate, or set tls-server-name in "
        "the "
        "kubeconfig",
        endpoint.server_name.empty() ? endpoint.host : endpoint.server_name);
  }
  switch (failure.verify_result) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return "the server's certificate has expired: renew it, or check the clock of this machine";
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return "the server's certificate is not valid yet: check the clocks of this machine and of the machine that "
             "issued it";
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_CERT_SIGNATURE_FAILURE:
      return "the server's certificate is signed by an unknown authority: check certificate-authority-data of the "
             "kubeconfig or, in a pod, ca.crt of its service account";
    default:
      return fmt::format(
          "the server's certificate cannot be trusted ({}): check certificate-authority-data of the "
          "kubeconfig",
          X509_verify_cert_error_string(failure.verify_result));
  }
}

std::string explain_proxy(const Failure& failure) {
  if (failure.proxy_verify_result != X509_V_OK) {
    return fmt::format(
        "the certificate of the proxy cannot be trusted ({}): check proxy-url and certificate-authority-data of the "
        "kubeconfig",
        X509_verify_cert_error_string(failure.proxy_verify_result));
  }
  return fmt::format("the proxy failed ({}): check proxy-url of the kubeconfig, or $HTTPS_PROXY", failure.detail);
}

std::string explain_connect(const Failure& failure, const Endpoint& endpoint) {
  if (lacks_descriptors(failure)) return std::string(no_descriptors);
  if (!endpoint.proxy.empty()) return explain_proxy(failure);
  switch (failure.os_error) {
    case ECONNREFUSED: return fmt::format("connection refused: {}", check_address);
    case ENETUNREACH:
    case EHOSTUNREACH: return fmt::format("no route to the server: {}", "check the server address and the network");
    case 0: return fmt::format("cannot connect ({}): {}", failure.detail, check_address);
    default:
      return fmt::format("cannot connect ({}): {}", std::generic_category().message(failure.os_error), check_address);
  }
}

std::string explain_tls(const Failure& failure) {
  if (mentions(failure, "alert certificate expired")) {
    return "the server rejected the client certificate, because it has expired: renew client-certificate-data and "
           "client-key-data of the kubeconfig";
  }
  if (refuses_client(failure)) {
    return "the server rejected the client certificate, or requires one: check client-certificate-data and "
           "client-key-data "
           "of the kubeconfig";
  }
  if (mentions(failure, "wrong version number") || mentions(failure, "packet length too long")) {
    return "the server does not use TLS on this port: check whether its address begins with http://";
  }
  return fmt::format("TLS failed ({}): {}", failure.detail, check_address);
}

std::string explain_broken(const Failure& failure, const Request& request) {
  if (refuses_client(failure)) return explain_tls(failure);
  if (mentions(failure, "CONNECT")) return explain_proxy(failure);
  if (failure.has_head) return "the connection broke before the response was complete";
  const std::string_view hint =
      request.endpoint->tls ? "" : "; if the server expects TLS, its address begins with https://";
  const bool changes = request.method != "GET" && request.method != "HEAD";
  return fmt::format("the server closed the connection without a response{}{}",
                     changes ? "; the server may have executed the request" : "", hint);
}

}  // namespace

bool lacks_descriptors(const Failure& failure) noexcept {
  const bool is_unopened = failure.code == CURLE_COULDNT_CONNECT || failure.code == CURLE_COULDNT_RESOLVE_HOST;
  return is_unopened && (failure.os_error == EMFILE || failure.os_error == ENFILE);
}

Error out_of_descriptors(const Request& request) {
  return make_error(ErrorCode::unreachable, fmt::format("{}: {}", describe(request), no_descriptors));
}

Error explain(const Failure& failure, const Request& request) {
  const auto error = [&](ErrorCode code, std::string_view what) {
    return make_error(code, fmt::format("{}: {}", describe(request), what));
  };
  const Endpoint& endpoint = *request.endpoint;
  switch (failure.code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      if (lacks_descriptors(failure)) return out_of_descriptors(request);
      return error(ErrorCode::unreachable,
                   fmt::format("cannot resolve the host \"{}\": check the server address and DNS", endpoint.host));
    case CURLE_COULDNT_RESOLVE_PROXY:
      return error(ErrorCode::unreachable,
                   "cannot resolve the host of the proxy: check proxy-url of the kubeconfig, or $HTTPS_PROXY");
    case CURLE_PROXY: return error(ErrorCode::unreachable, explain_proxy(failure));
    case CURLE_COULDNT_CONNECT: return error(ErrorCode::unreachable, explain_connect(failure, endpoint));
    case CURLE_OPERATION_TIMEDOUT:
      return error(ErrorCode::unreachable,
                   fmt::format("no connection within {}: check the server address and firewalls",
                               format_duration(failure.connect_timeout)));
    case CURLE_PEER_FAILED_VERIFICATION: {
      if (failure.proxy_verify_result != X509_V_OK) return error(ErrorCode::unreachable, explain_proxy(failure));
      Error untrusted = error(ErrorCode::unreachable, explain_certificate(failure, endpoint));
      untrusted.reason = untrusted_certificate;
      return untrusted;
    }
    case CURLE_SSL_CONNECT_ERROR: return error(ErrorCode::unreachable, explain_tls(failure));
    case CURLE_SSL_CACERT_BADFILE:
      return error(ErrorCode::invalid, "certificate-authority-data of the kubeconfig contains no certificate");
    case CURLE_SSL_CERTPROBLEM:
      return error(ErrorCode::invalid,
                   fmt::format("client-certificate-data and client-key-data of the kubeconfig cannot be used ({})",
                               failure.detail));
    case CURLE_URL_MALFORMAT: return error(ErrorCode::invalid, "invalid URL: check the server address and the path");
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
      return error(ErrorCode::unreachable, fmt::format("the response is not HTTP: {}", check_address));
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_ABORTED_BY_CALLBACK: return error(ErrorCode::unreachable, explain_broken(failure, request));
    default:
      return error(ErrorCode::unreachable,
                   failure.detail.empty() ? std::string_view(curl_easy_strerror(failure.code)) : failure.detail);
  }
}

}  // namespace pintle::http
