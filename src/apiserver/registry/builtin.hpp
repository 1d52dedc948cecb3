// SPDX-License-Identifier: Apache-2.0
// The base of the built-in kinds: the facts of the table, and functions that the rules of a kind override.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "resource.hpp"
#include "schemas.hpp"
#include "table/table.hpp"

namespace pintle::apiserver {

struct BuiltinKind {
  const KindFacts& facts;
  std::shared_ptr<const Schemas> schemas;
};

// A kind of the table without rules. Thread-safe.
class BuiltinStrategy : public Strategy {
 public:
  explicit BuiltinStrategy(BuiltinKind kind) : facts_(kind.facts), schemas_(std::move(kind.schemas)) {}

  [[nodiscard]] json::View schema() const override { return schemas_->of(facts_.type); }
  [[nodiscard]] StatusOr<void> accept(json::Value& object, const json::Value& proper,
                                      std::vector<std::string>& unknown) const override;
  void prepare_create(json::Value& object) const override;
  void validate(const json::Value& next, const json::Value* old, std::vector<StatusCause>& causes) const override;
  [[nodiscard]] json::Value zero() const override;
  [[nodiscard]] json::array cells(json::View object, WallTime now) const override;

  // True if the kind has a value for every column of the table. Otherwise only Name and Age are shown.
  [[nodiscard]] virtual bool has_own_cells() const { return false; }

 protected:
  // Sets defaults that are not in the schema.
  virtual void set_defaults(json::Value& /*object*/) const {}
  // True if a new object begins with an empty status, whatever the request contains.
  [[nodiscard]] virtual bool resets_status() const { return true; }
  // The cell of a column other than Name and Age.
  [[nodiscard]] virtual json::Value cell(std::string_view /*column*/, json::View /*object*/, WallTime) const {
    return {};
  }

 private:
  const KindFacts& facts_;
  const std::shared_ptr<const Schemas> schemas_;
};

// Returns every built-in kind.
[[nodiscard]] std::vector<ResourcePtr> builtin_resources();

}  // namespace pintle::apiserver
