#include "protobuf.hpp"

#include <pintle/object/protobuf.hpp>

namespace pintle::apiserver {

Result<json::Value> decode_protobuf(std::string_view body) {
  auto decoded = json::parse_protobuf(body, protobuf_types());
  if (decoded) return decoded;
  Error error = std::move(decoded.error());
  if (error.code == ErrorCode::unsupported) error.message += ": send the object as application/json";
  return fail(std::move(error));
}

}  // namespace pintle::apiserver
