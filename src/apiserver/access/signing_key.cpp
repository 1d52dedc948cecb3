// SPDX-License-Identifier: Apache-2.0
#include "signing_key.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include <fmt/format.h>

#include <pintle/object/bytes.hpp>

namespace pintle::apiserver {
namespace {

constexpr std::size_t key_size = 32;
constexpr std::size_t signature_size = 64;

using DigestContext = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;

const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

// base64url without padding (RFC 7515).
std::string to_base64url(std::string data) {
  std::string out = Bytes(std::move(data)).to_base64();
  out.erase(std::find(out.begin(), out.end(), '='), out.end());
  std::replace(out.begin(), out.end(), '+', '-');
  std::replace(out.begin(), out.end(), '/', '_');
  return out;
}

std::optional<std::string> from_base64url(std::string_view text) {
  std::string padded(text);
  if (padded.find_first_of("+/=\r\n") != std::string::npos) return std::nullopt;
  std::replace(padded.begin(), padded.end(), '-', '+');
  std::replace(padded.begin(), padded.end(), '_', '/');
  padded.append((4 - padded.size() % 4) % 4, '=');
  auto bytes = Bytes::from_base64(padded);
  if (!bytes) return std::nullopt;
  return std::move(bytes->data);
}

}  // namespace

SigningKey::SigningKey(Executor& executor) {
  std::array<unsigned char, key_size> seed{};
  for (std::size_t i = 0; i < seed.size(); i += sizeof(std::uint64_t)) {
    const std::uint64_t bits = executor.secure_random();
    std::memcpy(&seed.at(i), &bits, sizeof bits);
  }
  key_.reset(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, seed.data(), seed.size()), &EVP_PKEY_free);
}

std::string SigningKey::public_key() const {
  std::string out(key_size, '\0');
  std::size_t size = out.size();
  if (EVP_PKEY_get_raw_public_key(key_.get(), reinterpret_cast<unsigned char*>(out.data()), &size) != 1) return "";
  return out;
}

std::string SigningKey::id() const { return to_base64url(public_key()).substr(0, 16); }

std::string SigningKey::sign(const json::Value& claims) const {
  const json::Value header{{"alg", "EdDSA"}, {"kid", id()}};
  std::string out = to_base64url(json::print(header)) + "." + to_base64url(json::print(claims));
  std::string signature(signature_size, '\0');
  std::size_t size = signature.size();
  const DigestContext context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  const bool done = EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key_.get()) == 1 &&
                    EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size,
                                   bytes_of(out), out.size()) == 1;
  return done ? out + "." + to_base64url(std::move(signature)) : "";
}

std::optional<json::Value> SigningKey::claims_of(std::string_view token) const {
  const std::size_t last = token.rfind('.');
  const std::size_t first = token.find('.');
  if (last == std::string_view::npos || first == last) return std::nullopt;
  const auto signature = from_base64url(token.substr(last + 1));
  const auto claims = from_base64url(token.substr(first + 1, last - first - 1));
  if (!signature || !claims || signature->size() != signature_size) return std::nullopt;
  const std::string_view signed_part = token.substr(0, last);
  const DigestContext context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  const bool is_ours = EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key_.get()) == 1 &&
                       EVP_DigestVerify(context.get(), bytes_of(*signature), signature->size(), bytes_of(signed_part),
                                        signed_part.size()) == 1;
  if (!is_ours) return std::nullopt;
  auto parsed = json::parse(*claims);
  if (!parsed) return std::nullopt;
  return std::move(*parsed);
}

json::Value SigningKey::public_keys() const {
  return {{"keys", json::array{json::object{{"use", "sig"},
                                            {"kty", "OKP"},
                                            {"kid", id()},
                                            {"alg", "EdDSA"},
                                            {"crv", "Ed25519"},
                                            {"x", to_base64url(public_key())}}}}};
}

}  // namespace pintle::apiserver
