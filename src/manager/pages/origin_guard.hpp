// SPDX-License-Identifier: Apache-2.0
// OriginGuard: rejects requests for /debug/ and for pages of the operator that a browser sends for a page of another
// site.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/http/handler.hpp>

namespace pintle {

// For pages without authorization, where only the network address protects /debug/. A web page that rebinds its DNS
// name to this address sends that name as Host, and a form or script of another site sends its Origin. Therefore the
// Host of a request for /debug/ must be an IP address, localhost or one of `hosts`, and its Origin must be that Host. A
// request without these headers does not come from a browser and is accepted. The same applies to a request with
// `terminal_header`, because browsers let no script set a header whose name begins with "Sec-" (Fetch, forbidden
// request-header): through the pod proxy of an API server, Host is the name of that server. As thread-safe as the
// pages, which must outlive this object.
class OriginGuard final : public http::Handler {
 public:
  // `pintle top` and `pintle why` send it.
  static constexpr std::string_view terminal_header = "Sec-Pintle-Terminal";

  OriginGuard(http::Handler& pages, std::vector<std::string> hosts) : pages_(pages), hosts_(std::move(hosts)) {}

  [[nodiscard]] http::Response handle(const http::Request& request) override;

 private:
  [[nodiscard]] bool is_own(std::string_view authority) const;

  http::Handler& pages_;
  const std::vector<std::string> hosts_;
};

}  // namespace pintle
