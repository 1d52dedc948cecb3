// SPDX-License-Identifier: Apache-2.0
// GeneratedValues: the values of a session that another run generates anew.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <pintle/json/value.hpp>

namespace pintle::apiserver {

// Used by one thread at a time.
class GeneratedValues {
 public:
  // Returns the body of a response with placeholders. Afterwards the values in it can be referred to by `step`, the id
  // of the step with this response; "": they cannot.
  [[nodiscard]] json::Value generalize(const json::Value& body, const std::string& step);
  // Returns the body of a request with references to earlier responses.
  [[nodiscard]] json::Value refer(const json::Value& body) const;
  // As refer(), for the target of a request.
  [[nodiscard]] std::string refer_in_target(std::string_view target) const;

 private:
  void note(const std::string& value, const std::string& step, const std::string& pointer);
  void generalize_in(json::Value& value, std::string_view name, const std::string& step, const std::string& pointer);
  void generalize_text(json::Value& value, std::string_view name, const std::string& step, const std::string& pointer);
  void note_generated_name(const json::Value& object);
  [[nodiscard]] std::optional<std::string> reference_to(std::string_view value) const;
  static std::string numbered(std::map<std::string, int, std::less<>>& numbers, std::string_view kind,
                              const std::string& value);

  std::map<std::string, int, std::less<>> uids_;
  std::map<std::string, int, std::less<>> versions_;
  std::map<std::string, std::string, std::less<>> prefixes_;    // of generated names
  std::map<std::string, std::string, std::less<>> references_;  // from a value to "${step:/pointer}"
};

}  // namespace pintle::apiserver
