// What the built-in kinds share: the facts of the table, and a place for the rules of one.
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

// A kind of the table without any rule. Thread-safe.
class BuiltinStrategy : public Strategy {
 public:
  explicit BuiltinStrategy(BuiltinKind kind) : facts_(kind.facts), schemas_(std::move(kind.schemas)) {}

  [[nodiscard]] json::View schema() const override { return schemas_->of(facts_.type); }
  [[nodiscard]] Answer<void> accept(json::Value& object, const json::Value& proper,
                                    std::vector<std::string>& unknown) const override;
  void prepare_create(json::Value& object) const override;
  void validate(const json::Value& next, const json::Value* old, std::vector<Cause>& causes) const override;
  [[nodiscard]] json::Value zero() const override;
  [[nodiscard]] json::array cells(json::View object, WallTime now) const override;

  // Whether it has a value for every column of the table; else there are name and age.
  [[nodiscard]] virtual bool knows_cells() const { return false; }

 protected:
  // What is set where nobody said anything, beyond what the schema holds.
  virtual void set_defaults(json::Value& /*object*/) const {}
  // Whether a new object begins with an empty status, whatever it was sent with.
  [[nodiscard]] virtual bool resets_status() const { return true; }
  // The cell of a column other than Name and Age.
  [[nodiscard]] virtual json::Value cell(std::string_view /*column*/, json::View /*object*/, WallTime) const {
    return {};
  }

 private:
  const KindFacts& facts_;
  const std::shared_ptr<const Schemas> schemas_;
};

// Every built-in kind.
[[nodiscard]] std::vector<ResourcePtr> builtin_resources(Executor& executor);

}  // namespace pintle::apiserver
