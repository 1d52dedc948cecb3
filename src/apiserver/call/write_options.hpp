// SPDX-License-Identifier: Apache-2.0
// WriteOptions: the sender and the options of a write.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/time.hpp>

#include "apiserver/registry/user.hpp"

namespace pintle::apiserver {

enum class FieldValidation { ignore, warn, strict };

// Valid as long as the request.
struct WriteOptions {
  std::string manager = "pintle";  // the field manager
  bool dry_run = false;
  FieldValidation validation = FieldValidation::ignore;
  std::vector<std::string> duplicate_fields{};  // errors of field validation that only the text of the body shows
  // The sender; null: this server itself, whose writes are neither authorized nor sent to webhooks.
  const User* user = nullptr;
  std::optional<Instant> deadline{};  // of the request
  bool skips_webhooks = false;        // the sender is neither authorized nor sent to policies and webhooks
  std::string_view path_name{};       // the name in the path; "" for a create by POST
  // The parameters as the sender gave them, for webhooks.
  std::string given_manager{};
  std::string given_validation{};
};

}  // namespace pintle::apiserver
