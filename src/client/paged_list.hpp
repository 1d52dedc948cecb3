// SPDX-License-Identifier: Apache-2.0
// PagedList: reads a list page by page, object by object, as a state machine without I/O.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <pintle/client/call_options.hpp>
#include <pintle/json/reader.hpp>

namespace pintle {

// Not thread-safe.
class PagedList {
 public:
  PagedList(const GroupVersionKind& kind, ListOptions options, const std::function<bool(const Object&)>& on_object);

  PagedList(const PagedList&) = delete;
  PagedList& operator=(const PagedList&) = delete;

  // The request for the next page.
  [[nodiscard]] const ListOptions& next() const noexcept { return next_; }
  // Adds bytes of the page. Returns false if no more are needed.
  bool take(std::string_view bytes);
  // Ends the page, of which `end` is the result of the exchange. Returns whether there is a next page.
  [[nodiscard]] Result<bool> end_page(Result<void> end);
  // The resourceVersion of the first page.
  [[nodiscard]] std::string version() && { return std::move(version_); }

 private:
  void pass(json::Document item);
  [[nodiscard]] bool restart();

  const std::function<bool(const Object&)>& on_object_;
  const ListOptions first_;
  ListOptions next_;
  json::Reader reader_;
  Result<void> read_{};
  std::string version_;
  std::string key_;            // of the current object
  std::string last_;           // the key of the last object that was passed
  bool is_ascending_ = true;   // all objects were passed in the order of their keys
  bool is_restarted_ = false;  // objects up to last_ were already passed
  bool is_ended_ = false;      // by on_object
};

}  // namespace pintle
