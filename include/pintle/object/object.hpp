// SPDX-License-Identifier: Apache-2.0
// Object: an immutable Kubernetes object of any kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include <pintle/base/annotations.hpp>
#include <pintle/json/document.hpp>
#include <pintle/object/kind.hpp>

namespace pintle {

/// A reference-counted handle on one document. Caches, handlers and workers share it. To change an object, create a
/// patch or a copy (to_value()). Views and string_views of an object are valid as long as any handle on the same
/// document. Several threads may use handles on one document; concurrent reads of one handle are safe.
class PINTLE_EXPORT Object {
 public:
  Object() noexcept = default;  ///< no object: everything reads as missing
  explicit Object(json::Document document) noexcept : document_(std::move(document)) {}
  explicit Object(const json::Value& value) : document_(value) {}

  [[nodiscard]] static Result<Object> parse(std::string_view text);
  /// As parse(), for a document that is already parsed. Returns the error of `read` if there is one.
  [[nodiscard]] static Result<Object> from(Result<json::Document> read);

  [[nodiscard]] bool exists() const noexcept { return root().exists(); }
  explicit operator bool() const noexcept { return exists(); }
  [[nodiscard]] json::View root() const noexcept { return document_.root(); }
  /// The place at a JSON pointer: object["/spec/replicas"] == 3.
  [[nodiscard]] json::View operator[](std::string_view pointer) const noexcept { return root()[pointer]; }

  [[nodiscard]] std::string_view api_version() const noexcept { return root().member("apiVersion").text(); }
  [[nodiscard]] std::string_view kind() const noexcept { return root().member("kind").text(); }
  [[nodiscard]] GroupVersionKind group_version_kind() const { return {api_version(), kind()}; }

  [[nodiscard]] json::View metadata() const noexcept { return root().member("metadata"); }
  [[nodiscard]] std::string_view name() const noexcept { return metadata().member("name").text(); }
  [[nodiscard]] std::string_view namespace_() const noexcept { return metadata().member("namespace").text(); }
  /// Valid as long as the object.
  [[nodiscard]] ObjectKeyView key_view() const noexcept {
    const json::View in = metadata();
    return {in.member("namespace").text(), in.member("name").text()};
  }
  [[nodiscard]] ObjectKey key() const {
    const ObjectKeyView view = key_view();
    return {std::string(view.namespace_), std::string(view.name)};
  }
  [[nodiscard]] std::string_view uid() const noexcept { return metadata().member("uid").text(); }
  [[nodiscard]] std::string_view resource_version() const noexcept {
    return metadata().member("resourceVersion").text();
  }
  [[nodiscard]] std::int64_t generation() const noexcept {
    return metadata().member("generation").as_integer().value_or(0);
  }
  [[nodiscard]] json::View labels() const noexcept { return metadata().member("labels"); }
  [[nodiscard]] json::View annotations() const noexcept { return metadata().member("annotations"); }
  [[nodiscard]] std::string_view label(std::string_view name) const noexcept { return labels().member(name).text(); }
  [[nodiscard]] std::string_view annotation(std::string_view name) const noexcept {
    return annotations().member(name).text();
  }
  [[nodiscard]] json::View finalizers() const noexcept { return metadata().member("finalizers"); }
  [[nodiscard]] bool has_finalizer(std::string_view name) const noexcept;
  [[nodiscard]] json::View owner_references() const noexcept { return metadata().member("ownerReferences"); }
  [[nodiscard]] bool is_deleting() const noexcept { return metadata().member("deletionTimestamp").is_string(); }

  /// Returns "apps/v1 Deployment shop/web", for messages.
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] json::Value to_value() const;
  [[nodiscard]] std::string print() const { return root().print(); }

  [[nodiscard]] bool is_in(const json::Pool& pool) const noexcept { return document_.is_in(pool); }
  /// The memory of this object alone, in bytes, without the parts that it shares with others. 0 for an empty Object.
  [[nodiscard]] std::size_t bytes() const noexcept { return document_.bytes(); }
  /// Whether two handles share one document; faster than ==.
  [[nodiscard]] bool is_same_document(const Object& other) const noexcept {
    return document_.is_same_document(other.document_);
  }
  friend bool operator==(const Object& a, const Object& b) noexcept {
    return a.is_same_document(b) || a.root() == b.root();
  }

 private:
  json::Document document_;
};

/// Compares two resourceVersions of one resource in the order of KEP-5504, as unsigned decimals of any length. Error:
/// invalid, if one is empty or "0", or has a leading zero or a character that is not a digit.
[[nodiscard]] PINTLE_EXPORT Result<std::strong_ordering> compare_resource_versions(std::string_view a,
                                                                                   std::string_view b);

}  // namespace pintle
