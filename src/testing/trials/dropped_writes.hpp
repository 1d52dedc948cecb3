// SPDX-License-Identifier: Apache-2.0
// DroppedWrites: the parts of successful writes that the server has not stored.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <pintle/apiserver/request_info.hpp>
#include <pintle/http/handler.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/object.hpp>

#include "stored_key.hpp"

namespace pintle::testkit {

// The resource of an object keeps its status, and the subresource "status" keeps everything else: the server ignores
// the rest of a request without an error.
class DroppedWrites {
 public:
  // A successful write, and the object in its response. `what` describes it: "operator 1 sends patch booths a".
  void record(const std::string& what, const StoredKey& key, const RequestInfo& info, const http::Request& request,
              const Object& written);
  // The first value that was dropped, that no later request has written, and that its object still does not have, as a
  // sentence; or nothing. `stored` returns an object as it is now, or an empty one.
  [[nodiscard]] std::optional<std::string> first_lost(const std::function<Object(const StoredKey&)>& stored) const;

 private:
  struct Dropped {
    std::string what{};
    std::string uid{};
    json::Value value{};
    bool is_status = false;
  };

  std::map<std::pair<StoredKey, std::string>, Dropped> dropped_;  // by the object and the pointer
};

// The unknown fields that the server has dropped, from the warnings in its response; "" if there are none.
[[nodiscard]] std::string unknown_fields_in(const http::Response& response);

}  // namespace pintle::testkit
