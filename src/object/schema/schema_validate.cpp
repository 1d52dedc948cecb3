// SPDX-License-Identifier: Apache-2.0
// Checks a value against a node.
#include <cmath>
#include <limits>
#include <set>

#include "correlation.hpp"
#include "schema_node.hpp"

namespace pintle {
namespace {

std::string json_text(std::string_view text) { return json::print(json::Value(text)); }

std::string_view type_name(json::View value) {
  switch (value.type()) {
    case json::Type::null: return "null";
    case json::Type::boolean: return "boolean";
    case json::Type::integer: return "integer";
    case json::Type::number: return "number";
    case json::Type::string: return "string";
    case json::Type::array: return "array";
    case json::Type::object: return "object";
    case json::Type::missing: break;
  }
  return "undefined";
}

// The number of code points, which Kubernetes uses as the length of a string.
std::uint64_t length_of(std::string_view text) {
  std::uint64_t length = 0;
  for (const char c : text) length += (static_cast<unsigned char>(c) & 0xc0U) != 0x80U ? 1 : 0;
  return length;
}

class Validator {
 public:
  Validator(const SchemaNode& node, json::View value, json::View old, const std::string& path,
            std::vector<FieldError>& errors)
      : node_(node), value_(value), old_(old), path_(path), errors_(errors) {}

  void run() {
    const std::size_t before = errors_.size();
    check();
    if (errors_.size() > before && is_unchanged(node_, value_, old_)) errors_.resize(before);
  }

 private:
  void check() {
    check_type();
    check_choices();
    if (value_.is_null()) return;
    if (value_.is_string()) check_string();
    if (value_.as_double()) check_number();
    if (value_.is_array()) check_list();
    if (value_.is_object()) check_object();
    check_logic();
  }

  void add(std::string_view reason, std::string message) {
    errors_.push_back({"FieldValue" + std::string(reason), std::move(message), path_});
  }
  // Adds an error in the words of kube-apiserver: "spec.size in body should be …".
  void invalid(const std::string& rule) {
    add("Invalid", "Invalid value: " + value_.print() + ": " + path_ + " in body " + rule);
  }

  void check_type() {
    if (value_.is_null() ? node_.nullable : fits_type()) return;
    const std::string wanted = node_.int_or_string ? "integer,string" : node_.type;
    if (wanted.empty()) return;
    add("TypeInvalid", "Invalid value: " + json_text(type_name(value_)) + ": " + path_ + " in body must be of type " +
                           wanted + ": " + json_text(type_name(value_)));
  }

  [[nodiscard]] bool fits_type() const {
    const std::string_view got = type_name(value_);
    const double number = value_.as_double().value_or(0.5);
    const bool is_whole = got == "integer" || std::trunc(number) == number;
    if (node_.int_or_string) return got == "string" || is_whole;
    if (node_.type == "integer") return is_whole;
    if (node_.type == "number") return value_.as_double().has_value();
    return node_.type.empty() || node_.type == got;
  }

  void check_choices() {
    if (node_.choices.empty()) return;
    std::string supported;
    for (const json::Value& choice : node_.choices) {
      const json::Document document(choice);
      if (document.root() == value_) return;
      supported += (supported.empty() ? "" : ", ") + json::print(choice);
    }
    add("NotSupported", "Unsupported value: " + value_.print() + ": supported values: " + supported);
  }

  // Reports only the first violation of length or pattern, and a violation of the format.
  void check_string() {
    const std::string_view text = value_.text();
    const std::uint64_t length = length_of(text);
    if (node_.max_length && length > *node_.max_length) {
      add("TooLong", "Too long: may not be more than " + std::to_string(*node_.max_length) + " bytes");
    } else if (node_.min_length && length < *node_.min_length) {
      invalid("should be at least " + std::to_string(*node_.min_length) + " chars long");
    } else if (node_.pattern != nullptr &&
               !RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *node_.pattern)) {
      invalid("should match '" + node_.pattern_text + "'");
    }
    if (!node_.format.empty() && !node_.int_or_string && !has_format(node_.format, text)) {
      add("TypeInvalid", "Invalid value: " + value_.print() + ": " + path_ + " in body must be of type " +
                             node_.format + ": " + json_text(text));
    }
  }

  void check_number() {
    const Number number = number_of(value_);
    if (const auto& step = node_.multiple_of; step && !is_multiple(number, step->number)) {
      invalid("should be a multiple of " + step->text);
    }
    if (const auto& most = node_.maximum;
        most && (node_.exclusive_maximum ? number >= most->number : number > most->number)) {
      invalid((node_.exclusive_maximum ? "should be less than " : "should be less than or equal to ") + most->text);
    }
    if (const auto& least = node_.minimum;
        least && (node_.exclusive_minimum ? number <= least->number : number < least->number)) {
      invalid((node_.exclusive_minimum ? "should be greater than " : "should be greater than or equal to ") +
              least->text);
    }
    if (!fits_format(number)) {
      add("Invalid", "Invalid value: " + value_.print() + ": Checked value must be of type " + node_.type +
                         " with format " + node_.format + " in " + path_);
    }
  }

  [[nodiscard]] bool fits_format(const Number& number) const {
    const auto between = [&number](double least, double beyond) {
      return number >= Number{least} && number < Number{beyond};
    };
    if (node_.format == "int32") return between(-0x1p31, 0x1p31);
    if (node_.format == "int64") return between(-0x1p63, 0x1p63);
    if (node_.format == "uint32") return between(0, 0x1p32);
    if (node_.format == "uint64") return between(0, 0x1p64);
    if (node_.format == "float") return std::abs(number.nearest) <= std::numeric_limits<float>::max();
    return true;
  }

  void check_list() {
    if (node_.items != nullptr) {
      OldElements old_elements(node_, old_);
      std::size_t index = 0;
      for (const json::View item : value_.elements()) {
        validate_node(*node_.items, item, old_elements.of(item, index), path_ + "[" + std::to_string(index) + "]",
                      errors_);
        ++index;
      }
    }
    const std::size_t size = value_.size();
    if (node_.min_items && size < *node_.min_items) {
      invalid("should have at least " + std::to_string(*node_.min_items) + " items");
    }
    if (node_.max_items && size > *node_.max_items) {
      add("TooMany",
          "Too many: " + std::to_string(size) + ": must have at most " + std::to_string(*node_.max_items) + " items");
    }
    if (node_.list_type != SchemaNode::ListType::atomic && !has_duplicates(old_)) check_duplicates();
  }

  [[nodiscard]] bool has_duplicates(json::View list) const {
    std::set<std::string> seen;
    for (const json::View item : list.elements()) {
      if (!seen.insert(identity_of(item)).second) return true;
    }
    return false;
  }

  // Reports each item that is equal to an earlier item, or has equal keys.
  void check_duplicates() {
    std::map<std::string, std::size_t> seen;
    std::size_t index = 0;
    for (const json::View item : value_.elements()) {
      const std::string identity = identity_of(item);
      if (!seen.emplace(identity, index).second) {
        errors_.push_back(
            {"FieldValueDuplicate", "Duplicate value: " + identity, path_ + "[" + std::to_string(index) + "]"});
      }
      ++index;
    }
  }

  [[nodiscard]] std::string identity_of(json::View item) const {
    if (node_.list_type == SchemaNode::ListType::set) return canonical(item);
    std::string text;
    for (const std::string& key : node_.list_keys) {
      text += (text.empty() ? "" : ",") + json_text(key) + ":" + canonical(item.member(key));
    }
    return "{" + text + "}";
  }

  // Returns the same text for equal values, independent of the order of members.
  static std::string canonical(json::View value) {
    if (value.is_object()) {
      std::map<std::string_view, json::View> members;
      for (const auto [name, member] : value.members()) members.emplace(name, member);
      std::string text;
      for (const auto& [name, member] : members)
        text += (text.empty() ? "" : ",") + json_text(name) + ":" + canonical(member);
      return "{" + text + "}";
    }
    if (value.is_array()) {
      std::string text;
      for (const json::View item : value.elements()) text += (text.empty() ? "" : ",") + canonical(item);
      return "[" + text + "]";
    }
    return number_text(value);
  }

  void check_object() {
    const std::size_t size = value_.size();
    if (node_.min_properties && size < *node_.min_properties) {
      return invalid("should have at least " + std::to_string(*node_.min_properties) + " properties");
    }
    if (node_.max_properties && size > *node_.max_properties) {
      return add("TooMany", "Too many: " + std::to_string(size) + ": must have at most " +
                                std::to_string(*node_.max_properties) + " items");
    }
    for (const auto [name, member] : value_.members()) {
      if (const SchemaNode* node = node_.member(name)) {
        validate_node(*node, member, old_.member(name), child_path(path_, name), errors_);
      }
    }
    for (const std::string& name : node_.required) {
      if (!value_.member(name).exists()) require(name);
    }
    if (!node_.embedded) return;
    for (const char* name : {"apiVersion", "kind"}) {
      if (value_.member(name).text().empty()) require(name);
    }
  }

  void require(std::string_view name) {
    errors_.push_back({"FieldValueRequired", "Required value", child_path(path_, name)});
  }

  [[nodiscard]] bool fits(const SchemaNode& node) const {
    std::vector<FieldError> errors;
    validate_node(node, value_, {}, path_, errors);
    return errors.empty();
  }

  [[nodiscard]] std::size_t count_fitting(const std::vector<std::unique_ptr<SchemaNode>>& nodes) const {
    std::size_t count = 0;
    for (const auto& node : nodes) count += fits(*node) ? 1 : 0;
    return count;
  }

  void check_logic() {
    for (const auto& node : node_.all_of) validate_node(*node, value_, {}, path_, errors_);
    if (!node_.any_of.empty() && count_fitting(node_.any_of) == 0) invalid("must validate at least one schema (anyOf)");
    if (!node_.one_of.empty() && count_fitting(node_.one_of) != 1)
      invalid("must validate one and only one schema (oneOf)");
    if (node_.not_of != nullptr && fits(*node_.not_of)) invalid("must not validate the schema (not)");
  }

  const SchemaNode& node_;
  json::View value_;
  json::View old_;
  const std::string& path_;
  std::vector<FieldError>& errors_;
};

}  // namespace

void validate_node(const SchemaNode& node, json::View value, json::View old, const std::string& path,
                   std::vector<FieldError>& errors) {
  Validator(node, value, old, path, errors).run();
}

}  // namespace pintle
