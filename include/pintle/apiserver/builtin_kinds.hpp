// SPDX-License-Identifier: Apache-2.0
// BuiltinKinds: the tables of the built-in kinds, which several ApiServers may share.
#pragma once

#include <memory>

#include <pintle/base/annotations.hpp>

namespace pintle {

/// The built-in kinds with their schemas. A schema is made when it is first needed. A program that constructs many
/// servers passes one BuiltinKinds to all of them, as ApiServerOptions::kinds, so that each schema is made once.
/// Responses do not depend on it. The servers may have different executors. Thread-safe.
class PINTLE_EXPORT BuiltinKinds {
 public:
  BuiltinKinds();
  ~BuiltinKinds();
  BuiltinKinds(const BuiltinKinds&) = delete;
  BuiltinKinds& operator=(const BuiltinKinds&) = delete;

  class Content;
  [[nodiscard]] const Content& content() const noexcept { return *content_; }  ///< for ApiServer

 private:
  std::unique_ptr<const Content> content_;
};

}  // namespace pintle
