#include "builtin.hpp"

#include <utility>

#include <fmt/format.h>

#include "fit.hpp"

namespace pintle::apiserver {

BuiltinStrategy::BuiltinStrategy(std::string_view members)
    : schema_(json::Document::parse(fmt::format(R"({{"type": "object", "properties": {{
                     "kind": {{"type": "string", "x-pintle-keep": true}},
                     "apiVersion": {{"type": "string", "x-pintle-keep": true}},
                     "metadata": {{"type": "object", "x-kubernetes-preserve-unknown-fields": true}}{}{}}}}})",
                                                members.empty() ? "" : ", ", members))
                  .value()) {}

Answer<void> BuiltinStrategy::accept(json::Value& object, std::vector<std::string>& unknown) const {
  return fit(object, schema_.root(), unknown);
}

}  // namespace pintle::apiserver
