// SPDX-License-Identifier: Apache-2.0
// Content negotiation: the form of a response that a client requests.
#pragma once

#include <optional>
#include <string_view>

#include <pintle/http/message.hpp>

#include "apiserver/registry/refusal.hpp"

namespace pintle::apiserver {

struct ResponseFormat {
  enum class Form { object, table, metadata, discovery } form = Form::object;
  bool yaml = false;
  bool protobuf = false;  // for objects and lists with messages; everything else is JSON
  bool pretty = false;
  bool beta = false;  // Table and PartialObjectMetadata of meta.k8s.io/v1beta1 instead of v1

  [[nodiscard]] std::string_view meta_api_version() const { return beta ? "meta.k8s.io/v1beta1" : "meta.k8s.io/v1"; }
  [[nodiscard]] std::string_view content_type() const { return yaml ? "application/yaml" : "application/json"; }
};

// The types of bodies that kube-apiserver names when it refuses one. Not every kind has all of them.
inline constexpr std::string_view body_types =
    "application/json, application/yaml, application/vnd.kubernetes.protobuf";
// The same for watches.
inline constexpr std::string_view stream_types =
    "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";

// The forms that an endpoint offers in addition to the plain object.
struct Offered {
  bool tables = false;     // Table and PartialObjectMetadata
  bool discovery = false;  // APIGroupDiscoveryList
  bool protobuf = false;   // of plain objects
};

// Whether the client would take protobuf.
[[nodiscard]] bool accepts_protobuf(const http::Request& request);

// Reads Accept, in the order of its weights, and ?pretty. 406: no form in Accept is offered.
[[nodiscard]] StatusOr<ResponseFormat> negotiate(const http::Request& request, const http::Target& target,
                                                 Offered offered);

// Returns a media type without its parameters, in lower case.
[[nodiscard]] std::string media_type(std::string_view header);

}  // namespace pintle::apiserver
