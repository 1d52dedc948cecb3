// SPDX-License-Identifier: Apache-2.0
// The functions of URLs.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/cel/function.hpp>
#include <pintle/cel/value.hpp>

#include "cel/library/cost.hpp"
#include "cel/library/declare.hpp"
#include "libraries.hpp"
#include "url.hpp"

namespace pintle::cel {
namespace {

Type url_type() { return Type::opaque("kubernetes.URL"); }

class UrlValue final : public Opaque {
 public:
  explicit UrlValue(Url url) noexcept : url(std::move(url)) {}
  [[nodiscard]] Type type() const override { return url_type(); }
  [[nodiscard]] bool equals(const Opaque& other) const override {
    return url == dynamic_cast<const UrlValue&>(other).url;
  }

  const Url url;
};

const Url& url_of(const Value& value) { return value.as_opaque<UrlValue>()->url; }

Result<Value> to_url(Arguments arguments) {
  auto url = parse_url(*arguments[0].as_string());
  if (!url) return failure("URL parse error during conversion from string: " + url.error().message);
  return Value::opaque(std::make_shared<UrlValue>(*std::move(url)));
}
Result<Value> is_url(Arguments arguments) {
  return Value::boolean(check_request_url(*arguments[0].as_string()).has_value());
}

// The values of each parameter, in the order of the text.
Result<Value> query_of(Arguments arguments) {
  std::vector<std::pair<std::string, std::vector<Value>>> parameters;
  for (auto& [name, value] : url_of(arguments[0]).parameters()) {
    auto place = parameters.begin();
    while (place != parameters.end() && place->first != name) ++place;
    if (place == parameters.end()) place = parameters.insert(place, {name, {}});
    place->second.push_back(Value::string(value));
  }
  std::vector<std::pair<Value, Value>> entries;
  for (auto& parameter : parameters) {
    entries.emplace_back(Value::string(std::move(parameter.first)), Value::list(std::move(parameter.second)));
  }
  return Value::map(std::move(entries));
}

FunctionDeclaration url_part(std::string name, std::string (*part)(const Url&)) {
  return {std::move(name), {member({url_type()}, Type::string(), [part](Arguments arguments) -> Result<Value> {
            return Value::string(part(url_of(arguments[0])));
          })}};
}

}  // namespace

Library url_library() {
  const auto string = Type::string();
  return {.functions = {
              {"url", {global({string}, url_type(), to_url, cost_of_first)}},
              {"isURL", {global({string}, Type::boolean(), is_url)}},
              url_part("getScheme", [](const Url& url) { return url.scheme; }),
              url_part("getHost", [](const Url& url) { return url.host; }),
              url_part("getHostname", [](const Url& url) { return url.hostname(); }),
              url_part("getPort", [](const Url& url) { return url.port(); }),
              url_part("getEscapedPath", [](const Url& url) { return url.path; }),
              {"getQuery", {member({url_type()}, Type::map(string, Type::list(string)), query_of)}},
          }};
}

}  // namespace pintle::cel
