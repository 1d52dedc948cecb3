// SPDX-License-Identifier: Apache-2.0
// Presenter: prints stored objects: single ones, in lists and in watch events.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/call/call.hpp"
#include "apiserver/conversion/forms.hpp"
#include "apiserver/objects/write.hpp"

namespace pintle::apiserver {

// The metadata of a list.
struct ListHead {
  std::string version{};
  std::string next{};           // the continue token
  std::int64_t remaining = -1;  // negative: left out
};

// A plain value, valid as long as its resource.
class Presenter {
 public:
  Presenter(const Resource& resource, ResponseFormat format, std::string_view include, WallTime now)
      : resource_(&resource), format_(format), include_(include), now_(now) {}

  // Appends one object as compact JSON: the object itself, a Table with one row, or its metadata. Only the first Table
  // of a watch has columns.
  void append(std::string& out, const Object& stored, bool has_columns = true) const;
  // A list consists of begin_list(), append_item() for each object with commas between them, and end_of_list.
  void begin_list(std::string& out, const ListHead& head) const;
  void append_item(std::string& out, const Object& stored) const;
  static constexpr std::string_view end_of_list = "]}";
  // The same in protobuf, for the form of plain objects; nothing if an object does not fit its message.
  [[nodiscard]] std::optional<std::string> protobuf(const Object& stored) const;
  [[nodiscard]] std::optional<std::string> protobuf_list(const std::vector<Object>& objects,
                                                         const ListHead& head) const;
  [[nodiscard]] bool is_protobuf() const { return format_.protobuf; }
  // Returns the object of a BOOKMARK event.
  [[nodiscard]] std::string bookmark(std::string_view version, bool ends_initial) const;
  void set_now(WallTime now) { now_ = now; }
  [[nodiscard]] ResponseFormat::Form form() const { return format_.form; }
  [[nodiscard]] bool is_beta() const { return format_.beta; }

 private:
  [[nodiscard]] std::optional<std::string> message(const Object& stored) const;
  void append_object(std::string& out, const Object& stored, bool typed) const;
  void append_metadata(std::string& out, const Object& stored) const;
  void begin_table(std::string& out, const ListHead& head, bool has_columns = true) const;
  void append_row(std::string& out, const Object& stored) const;
  void append_head(std::string& out, const ListHead& head, bool always_continue) const;

  const Resource* resource_;
  ResponseFormat format_;
  std::string include_;  // objects in the rows of a Table: "Metadata", "Object", "None"
  WallTime now_;
};

[[nodiscard]] Presenter presenter_for(const Call& call, WallTime now);

// Makes a response from compact JSON in the requested encoding.
[[nodiscard]] http::Response respond(int status, std::string json, const ResponseFormat& format);
[[nodiscard]] http::Response respond(int status, const json::Value& value, const ResponseFormat& format);
// Makes a response from protobuf.
[[nodiscard]] http::Response respond_protobuf(int status, std::string bytes);
// The response to a create that returns no object.
[[nodiscard]] http::Response respond_done(const Call& call);
// The response with an object that is not stored.
[[nodiscard]] http::Response respond(const Call& call, int status, const Written& written, WallTime now);
// The response with a stored object. Refuses it if a webhook cannot convert it to the version of the request.
[[nodiscard]] StatusOr<http::Response> respond(Service& service, const Call& call, int status, Written written);

// Adds warnings for the client: each once, and none that a header cannot contain. Above a limit on their total length,
// long warnings are cut and further ones left out.
void add_warnings(http::Response& response, const std::vector<std::string>& warnings);

}  // namespace pintle::apiserver
