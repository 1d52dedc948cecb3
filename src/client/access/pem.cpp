#include <pintle/client/pem.hpp>

#include <optional>
#include <string>
#include <vector>

#include <pintle/object/bytes.hpp>

namespace pintle {

namespace {

struct Block {
  std::string label{};  // "CERTIFICATE"
  bool whole = false;   // it has an end, and its base64 content begins like DER
};

constexpr std::string_view begin_mark = "-----BEGIN ";
constexpr std::string_view end_mark = "-----END ";
constexpr std::string_view dashes = "-----";

// Returns the next block from `at` on, and moves `at` behind it.
std::optional<Block> next_block(std::string_view pem, std::size_t& at) {
  const std::size_t begin = pem.find(begin_mark, at);
  if (begin == std::string_view::npos) return std::nullopt;
  const std::size_t label = begin + begin_mark.size();
  at = label;
  const std::size_t label_end = pem.find(dashes, label);
  if (label_end == std::string_view::npos) return Block{};
  Block block{.label = std::string(pem.substr(label, label_end - label))};
  const std::size_t body = label_end + dashes.size();
  const std::size_t end = pem.find(std::string(end_mark) + block.label + std::string(dashes), body);
  if (end == std::string_view::npos) return block;
  at = end;
  // Old keys have headers such as "Proc-Type: …", which end with an empty line.
  const std::string_view text = pem.substr(body, end - body);
  const std::size_t headers = text.find(": ") == std::string_view::npos ? std::string_view::npos : text.find("\n\n");
  const auto bytes = Bytes::from_base64(headers == std::string_view::npos ? text : text.substr(headers));
  constexpr char der_sequence = 0x30;
  block.whole = bytes && bytes->data.starts_with(der_sequence);
  return block;
}

std::vector<Block> blocks_of(std::string_view pem) {
  std::vector<Block> blocks;
  std::size_t at = 0;
  while (auto block = next_block(pem, at)) blocks.push_back(std::move(*block));
  return blocks;
}

bool is_encrypted(std::string_view key) {
  return key.find("BEGIN ENCRYPTED PRIVATE KEY") != std::string_view::npos ||
         key.find("Proc-Type: 4,ENCRYPTED") != std::string_view::npos;
}

}  // namespace

Result<void> validate_certificates(std::string_view pem) {
  bool found = false;
  for (const Block& block : blocks_of(pem)) {
    if (block.label != "CERTIFICATE") continue;
    found = true;
    if (!block.whole)
      return fail(ErrorCode::invalid, "is not a PEM certificate: one of its certificates is truncated or malformed");
  }
  if (!found)
    return fail(ErrorCode::invalid, "is not a PEM certificate: it has no line \"-----BEGIN CERTIFICATE-----\"");
  return {};
}

Result<void> validate_key_pair(std::string_view certificate, std::string_view key) {
  if (auto good = validate_certificates(certificate); !good) {
    return fail(ErrorCode::invalid, "client-certificate " + good.error().message);
  }
  if (is_encrypted(key)) {
    return fail(ErrorCode::invalid, "client-key is encrypted, and its passphrase cannot be entered; decrypt the key");
  }
  for (const Block& block : blocks_of(key)) {
    if (block.whole && block.label.ends_with("PRIVATE KEY")) return {};
  }
  return fail(ErrorCode::invalid, "client-key is not a PEM private key: it has no complete \"PRIVATE KEY\" block");
}

}  // namespace pintle
