// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/schema/explain.hpp>

#include <pintle/base/text.hpp>

namespace pintle {
namespace {

// The schema of the elements of a list or the entries of a map, at any depth; for all other fields, their own schema.
json::View inside(json::View schema) {
  if (schema.member("items").is_object()) return inside(schema.member("items"));
  if (schema.member("additionalProperties").is_object()) return inside(schema.member("additionalProperties"));
  return schema;
}

std::string type_text(json::View schema) {
  if (schema.member("items").is_object()) return "[]" + type_text(schema.member("items"));
  if (schema.member("additionalProperties").is_object()) {
    return "map[string]" + type_text(schema.member("additionalProperties"));
  }
  if (schema.member("x-kubernetes-int-or-string") == true) return "integer or string";
  const std::string_view type = schema.member("type").text();
  const std::string_view format = schema.member("format").text();
  if (type.empty()) return "anything";
  return std::string(type) + (format.empty() ? "" : " (" + std::string(format) + ")");
}

class Sentences {
 public:
  void add(const std::string& text) { all_ += (all_.empty() ? "" : "; ") + text; }
  void add_range(json::View lowest, json::View highest, const std::string& unit) {
    if (lowest.exists() && highest.exists()) {
      add(lowest.print() + " to " + highest.print() + unit);
    } else if (lowest.exists()) {
      add("at least " + lowest.print() + unit);
    } else if (highest.exists()) {
      add("at most " + highest.print() + unit);
    }
  }
  [[nodiscard]] const std::string& text() const { return all_; }

 private:
  std::string all_;
};

void add_value_rules(Sentences& sentences, json::View schema) {
  std::string choices;
  for (const json::View choice : schema.member("enum").elements()) {
    choices +=
        (choices.empty() ? "one of " : ", ") + (choice.is_string() ? std::string(choice.text()) : choice.print());
  }
  if (!choices.empty()) sentences.add(choices);
  sentences.add_range(schema.member("minimum"), schema.member("maximum"), "");
  if (schema.member("multipleOf").exists()) sentences.add("in steps of " + schema.member("multipleOf").print());
  sentences.add_range(schema.member("minLength"), schema.member("maxLength"), " characters");
  sentences.add_range(schema.member("minItems"), schema.member("maxItems"), " elements");
  sentences.add_range(schema.member("minProperties"), schema.member("maxProperties"), " entries");
  if (schema.member("pattern").exists()) sentences.add("matches " + std::string(schema.member("pattern").text()));
}

bool is_required(json::View parent, std::string_view name) {
  for (const json::View required : parent.member("required").elements()) {
    if (required == name) return true;
  }
  return false;
}

// The rules of a field, on one line.
std::string rules_text(json::View parent, std::string_view name, json::View schema) {
  Sentences sentences;
  if (is_required(parent, name)) sentences.add("required");
  if (const json::View value = schema.member("default"); value.exists()) {
    sentences.add("default " +
                  (value.is_string() && !value.text().empty() ? std::string(value.text()) : value.print()));
  }
  add_value_rules(sentences, schema);
  if (inside(schema).exists() && !(inside(schema) == schema)) {
    Sentences of_each;
    add_value_rules(of_each, inside(schema));
    if (!of_each.text().empty()) sentences.add("each " + of_each.text());
  }
  if (schema.member("nullable") == true) sentences.add("may be null");
  return sentences.text();
}

void add_text(std::string& out, std::string_view indent, std::string_view text) {
  if (!text.empty()) out.append(indent).append(text).append("\n");
}

void add_cel_rules(std::string& out, std::string_view indent, json::View schema) {
  for (const json::View rule : schema.member("x-kubernetes-validations").elements()) {
    const json::View message = rule.member("message");
    add_text(out, indent, "Rule: " + std::string((message.exists() ? message : rule.member("rule")).text()));
  }
}

void add_field(std::string& out, json::View parent, std::string_view name, json::View schema) {
  out.append("  ").append(name).append("  <").append(type_text(schema)).append(">\n");
  add_text(out, "    ", schema.member("description").text());
  add_text(out, "    ", rules_text(parent, name, schema));
  add_cel_rules(out, "    ", schema);
}

std::string names_in(json::View schema) {
  std::string all;
  for (const auto [name, property] : schema.member("properties").members()) {
    all += (all.empty() ? "" : ", ") + std::string(name);
  }
  return all.empty() ? "it has no fields" : "its fields are " + all;
}

}  // namespace

Result<std::string> explain(json::View openapi_v3_schema, std::string_view path) {
  json::View parent;
  json::View schema = openapi_v3_schema;
  std::string_view last;
  for (std::string_view rest = path; !rest.empty();) {
    last = rest.substr(0, rest.find('.'));
    rest.remove_prefix(std::min(last.size() + 1, rest.size()));
    parent = inside(schema);
    schema = parent.member("properties").member(last);
    if (schema.exists()) continue;
    const std::string_view before = path.substr(0, static_cast<std::size_t>(last.data() - path.data()));
    const std::string place = before.empty() ? "the kind" : std::string(before.substr(0, before.size() - 1));
    return fail(ErrorCode::not_found, quote(last) + " is not a field of " + place + "; " + names_in(parent));
  }

  std::string out;
  if (!path.empty()) {
    out.append(path).append("  <").append(type_text(schema)).append(">\n");
    add_text(out, "", rules_text(parent, last, schema));
  }
  add_text(out, "", schema.member("description").text());
  add_cel_rules(out, "", schema);
  const json::View fields = inside(schema);
  if (fields.member("properties").size() == 0) return out;
  out += out.empty() ? "Fields:\n" : "\nFields:\n";
  for (const auto [name, property] : fields.member("properties").members()) add_field(out, fields, name, property);
  return out;
}

}  // namespace pintle
