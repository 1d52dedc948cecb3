// SPDX-License-Identifier: Apache-2.0
#include "signing_key.hpp"

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include <pintle/object/bytes.hpp>

namespace pintle::apiserver {
namespace {

constexpr std::size_t prime_size = 128;  // bytes of each of the two primes
constexpr BN_ULONG public_exponent = 65'537;

template <class T, auto Free>
struct OpenSslDelete {
  void operator()(T* object) const { Free(object); }
};
template <class T, auto Free>
using OpenSslPtr = std::unique_ptr<T, OpenSslDelete<T, Free>>;

using BigNumber = OpenSslPtr<BIGNUM, BN_clear_free>;
using BigNumberContext = OpenSslPtr<BN_CTX, BN_CTX_free>;
using DigestContext = OpenSslPtr<EVP_MD_CTX, EVP_MD_CTX_free>;
using KeyContext = OpenSslPtr<EVP_PKEY_CTX, EVP_PKEY_CTX_free>;
using RsaParameterBuilder = OpenSslPtr<OSSL_PARAM_BLD, OSSL_PARAM_BLD_free>;
using RsaParameters = OpenSslPtr<OSSL_PARAM, OSSL_PARAM_free>;
using MemoryFile = OpenSslPtr<BIO, BIO_free_all>;

const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }
unsigned char* bytes_of(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

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

// The first prime from a random number on whose predecessor has an inverse exponent. The test of OpenSSL is
// probabilistic, but it takes a composite number for a prime in practice never, so the result depends on the random
// number only.
BigNumber random_prime(Executor& executor) {
  std::array<unsigned char, prime_size> bytes{};
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(std::uint64_t)) {
    const std::uint64_t bits = executor.secure_random();
    std::memcpy(&bytes.at(i), &bits, sizeof bits);
  }
  bytes.front() |= 0xC0U;  // the product of two such numbers has all bits
  bytes.back() |= 1U;
  BigNumber out(BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()), nullptr));
  const BigNumberContext context(BN_CTX_new());
  while (BN_mod_word(out.get(), public_exponent) == 1 || BN_check_prime(out.get(), context.get(), nullptr) != 1) {
    BN_add_word(out.get(), 2);
  }
  return out;
}

// The numbers of a private key, by their OpenSSL names.
std::shared_ptr<EVP_PKEY> rsa_key_of(BigNumber p, BigNumber q) {
  const BigNumberContext context(BN_CTX_new());
  const auto make = [] { return BigNumber(BN_new()); };
  const auto minus_one = [&](const BigNumber& number) {
    BigNumber out(BN_dup(number.get()));
    BN_sub_word(out.get(), 1);
    return out;
  };
  if (BN_cmp(p.get(), q.get()) < 0) std::swap(p, q);
  const BigNumber p1 = minus_one(p);
  const BigNumber q1 = minus_one(q);
  const BigNumber n = make();
  const BigNumber e = make();
  const BigNumber phi = make();
  BN_mul(n.get(), p.get(), q.get(), context.get());
  BN_mul(phi.get(), p1.get(), q1.get(), context.get());
  BN_set_word(e.get(), public_exponent);
  const BigNumber d(BN_mod_inverse(nullptr, e.get(), phi.get(), context.get()));
  const BigNumber coefficient(BN_mod_inverse(nullptr, q.get(), p.get(), context.get()));
  const BigNumber dp = make();
  const BigNumber dq = make();
  BN_mod(dp.get(), d.get(), p1.get(), context.get());
  BN_mod(dq.get(), d.get(), q1.get(), context.get());
  const RsaParameterBuilder builder(OSSL_PARAM_BLD_new());
  const std::pair<const char*, const BigNumber*> numbers[] = {
      {OSSL_PKEY_PARAM_RSA_N, &n},          {OSSL_PKEY_PARAM_RSA_E, &e},
      {OSSL_PKEY_PARAM_RSA_D, &d},          {OSSL_PKEY_PARAM_RSA_FACTOR1, &p},
      {OSSL_PKEY_PARAM_RSA_FACTOR2, &q},    {OSSL_PKEY_PARAM_RSA_EXPONENT1, &dp},
      {OSSL_PKEY_PARAM_RSA_EXPONENT2, &dq}, {OSSL_PKEY_PARAM_RSA_COEFFICIENT1, &coefficient}};
  for (const auto& [name, number] : numbers) OSSL_PARAM_BLD_push_BN(builder.get(), name, number->get());
  const RsaParameters parameters(OSSL_PARAM_BLD_to_param(builder.get()));
  const KeyContext making(EVP_PKEY_CTX_new_from_name(nullptr, "RSA", nullptr));
  EVP_PKEY* made = nullptr;
  EVP_PKEY_fromdata_init(making.get());
  EVP_PKEY_fromdata(making.get(), &made, EVP_PKEY_KEYPAIR, parameters.get());
  return {made, &EVP_PKEY_free};
}

std::string number_text(EVP_PKEY* key, const char* name) {
  BIGNUM* found = nullptr;
  if (EVP_PKEY_get_bn_param(key, name, &found) != 1) return "";
  const BigNumber number(found);
  std::string out(static_cast<std::size_t>(BN_num_bytes(found)), '\0');
  BN_bn2bin(found, bytes_of(out));
  return to_base64url(std::move(out));
}

// The hash by which kube-apiserver names its key too.
std::string hash_of_public_key(EVP_PKEY* key) {
  std::string encoded(static_cast<std::size_t>(std::max(i2d_PUBKEY(key, nullptr), 0)), '\0');
  unsigned char* end = bytes_of(encoded);
  i2d_PUBKEY(key, &end);
  std::string hash(EVP_MAX_MD_SIZE, '\0');
  unsigned int size = 0;
  EVP_Digest(encoded.data(), encoded.size(), bytes_of(hash), &size, EVP_sha256(), nullptr);
  hash.resize(size);
  return to_base64url(std::move(hash));
}

}  // namespace

SigningKey::SigningKey(std::shared_ptr<EVP_PKEY> key) : key_(std::move(key)), id_(hash_of_public_key(key_.get())) {}

SigningKey::SigningKey(Executor& executor)
    : SigningKey([&] {
        BigNumber p = random_prime(executor);
        return rsa_key_of(std::move(p), random_prime(executor));
      }()) {}

std::string SigningKey::to_pem() const {
  const MemoryFile file(BIO_new(BIO_s_mem()));
  if (PEM_write_bio_PrivateKey(file.get(), key_.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1) return "";
  char* text = nullptr;
  const auto size = BIO_get_mem_data(file.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

std::optional<SigningKey> SigningKey::from_pem(std::string_view pem) {
  const MemoryFile file(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  std::shared_ptr<EVP_PKEY> key(PEM_read_bio_PrivateKey(file.get(), nullptr, nullptr, nullptr), &EVP_PKEY_free);
  ERR_clear_error();
  if (key == nullptr || EVP_PKEY_is_a(key.get(), "RSA") != 1) return std::nullopt;
  return SigningKey(std::move(key));
}

std::string SigningKey::sign(const json::Value& claims) const {
  const json::Value header{{"alg", "RS256"}, {"kid", id_}};
  std::string out = to_base64url(json::print(header)) + "." + to_base64url(json::print(claims));
  std::string signature(static_cast<std::size_t>(EVP_PKEY_get_size(key_.get())), '\0');
  std::size_t size = signature.size();
  const DigestContext context(EVP_MD_CTX_new());
  const bool done = EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1 &&
                    EVP_DigestSign(context.get(), bytes_of(signature), &size, bytes_of(out), out.size()) == 1;
  if (!done) return "";
  signature.resize(size);
  return out + "." + to_base64url(std::move(signature));
}

std::optional<json::Value> SigningKey::claims_of(std::string_view token) const {
  const std::size_t last = token.rfind('.');
  const std::size_t first = token.find('.');
  if (last == std::string_view::npos || first == last) return std::nullopt;
  const auto signature = from_base64url(token.substr(last + 1));
  const auto claims = from_base64url(token.substr(first + 1, last - first - 1));
  if (!signature || !claims) return std::nullopt;
  const std::string_view signed_part = token.substr(0, last);
  const DigestContext context(EVP_MD_CTX_new());
  const bool is_ours = EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1 &&
                       EVP_DigestVerify(context.get(), bytes_of(std::string_view(*signature)), signature->size(),
                                        bytes_of(signed_part), signed_part.size()) == 1;
  if (!is_ours) {
    ERR_clear_error();  // the errors of this thread would be taken for those of its next connection
    return std::nullopt;
  }
  auto parsed = json::parse(*claims);
  if (!parsed) return std::nullopt;
  return std::move(*parsed);
}

json::Value SigningKey::public_keys() const {
  return {{"keys", json::array{json::object{{"use", "sig"},
                                            {"kty", "RSA"},
                                            {"kid", id_},
                                            {"alg", "RS256"},
                                            {"n", number_text(key_.get(), OSSL_PKEY_PARAM_RSA_N)},
                                            {"e", number_text(key_.get(), OSSL_PKEY_PARAM_RSA_E)}}}}};
}

}  // namespace pintle::apiserver
