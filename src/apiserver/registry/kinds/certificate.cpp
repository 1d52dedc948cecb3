// SPDX-License-Identifier: Apache-2.0
// The rules of CertificateSigningRequest. The plugins of admission fill in the sender.
#include <string>
#include <utility>

#include <fmt/format.h>

#include <pintle/object/bytes.hpp>

#include "../cells.hpp"
#include "../rules.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

constexpr std::string_view begin_line = "-----BEGIN CERTIFICATE REQUEST-----";
constexpr std::string_view end_line = "-----END CERTIFICATE REQUEST-----";

// True if the text contains one DER value of the size that its header states.
bool is_der_sequence(std::string_view bytes) {
  constexpr unsigned char sequence = 0x30;
  if (bytes.size() < 2 || static_cast<unsigned char>(bytes[0]) != sequence) return false;
  std::size_t size = static_cast<unsigned char>(bytes[1]);
  std::size_t header = 2;
  if (size > 0x7fU) {
    const std::size_t digits = size & 0x7fU;
    if (digits == 0 || digits > 3 || bytes.size() < header + digits) return false;
    size = 0;
    for (std::size_t i = 0; i < digits; ++i) size = size << 8U | static_cast<unsigned char>(bytes[header++]);
  }
  return bytes.size() == header + size;
}

// Returns the error of a request in PEM; empty if it has the form of one.
std::string request_error(std::string_view pem) {
  const std::size_t begin = pem.find(begin_line);
  const std::size_t end = pem.find(end_line);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) {
    return "PEM block type must be CERTIFICATE REQUEST";
  }
  std::string base64;
  for (const char c : pem.substr(begin + begin_line.size(), end - begin - begin_line.size())) {
    if (c != '\n' && c != '\r' && c != ' ') base64 += c;
  }
  const auto der = Bytes::from_base64(base64);
  if (!der) return "PEM block type must be CERTIFICATE REQUEST";
  return is_der_sequence(der->data) ? std::string() : "asn1: structure error: the request is not a sequence";
}

// Prints bytes as Go does: []byte{0x61, 0x62}.
std::string go_bytes(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    out += fmt::format("{}{:#x}", out.empty() ? "" : ", ", static_cast<unsigned char>(c));
  }
  return "[]byte{" + out + "}";
}

void validate_request(std::string_view base64, std::vector<StatusCause>& causes) {
  const auto request = Bytes::from_base64(base64);
  const std::string_view bytes = request ? std::string_view(request->data) : std::string_view{};
  const std::string error = request_error(bytes);
  if (error.empty()) return;
  causes.push_back({.reason = "FieldValueInvalid",
                    .message = fmt::format("Invalid value: {}: {}", go_bytes(bytes), error),
                    .field = "spec.request"});
}

std::string condition_cell(View request) {
  bool approved = false;
  bool denied = false;
  bool failed = false;
  for (const View condition : request["/status/conditions"].elements()) {
    const View type = condition.member("type");
    approved = approved || type == "Approved";
    denied = denied || type == "Denied";
    failed = failed || type == "Failed";
  }
  std::string out = denied ? "Denied" : approved ? "Approved" : "Pending";
  if (failed) out += ",Failed";
  if (!request["/status/certificate"].text().empty()) out += ",Issued";
  return out;
}

class Certificate final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  bool has_own_cells() const override { return true; }

  void prepare_update(Value& next, const Value& old) const override { copy_member(next, old, "spec"); }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    if (old != nullptr) return;
    validate_request(text_at(next, "/spec/request"), causes);
    const Value* usages = json::find(next, "/spec/usages");
    if (usages == nullptr || usages->as_array().empty()) causes.push_back(required("spec.usages"));
    if (text_at(next, "/spec/signerName").empty()) causes.push_back(required("spec.signerName"));
  }

 protected:
  Value cell(std::string_view column, View request, WallTime /*now*/) const override {
    if (column == "SignerName") return Value(request["/spec/signerName"].text());
    if (column == "Requestor") return Value(request["/spec/username"].text());
    if (column == "Condition") return Value(condition_cell(request));
    const auto seconds = request["/spec/expirationSeconds"].as_integer();
    return Value(seconds ? human_duration(std::chrono::seconds(*seconds)) : "<none>");
  }
};

}  // namespace

StrategyPtr certificate_strategy(BuiltinKind kind) { return std::make_shared<Certificate>(std::move(kind)); }

}  // namespace pintle::apiserver
