// OriginGuard: refuses requests for /debug/ that a browser sends on behalf of a foreign web page.
#pragma once

#include <string>
#include <vector>

#include <pintle/http/handler.hpp>

namespace pintle {

// For pages without authorization, where the network address is all that protects /debug/. A page that rebinds its DNS
// name to this address sends that name as Host; a form or script of another site sends its own Origin. So a request for
// /debug/ needs a Host that is an IP address, localhost or one of `hosts`, and no Origin other than that Host. A
// request without these headers comes from no browser and passes. Thread-safe, as the pages are; they must outlive it.
class OriginGuard final : public http::Handler {
 public:
  OriginGuard(http::Handler& pages, std::vector<std::string> hosts) : pages_(pages), hosts_(std::move(hosts)) {}

  [[nodiscard]] http::Response handle(const http::Request& request) override;

 private:
  [[nodiscard]] bool is_own(std::string_view authority) const;

  http::Handler& pages_;
  const std::vector<std::string> hosts_;
};

}  // namespace pintle
