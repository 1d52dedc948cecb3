// SPDX-License-Identifier: Apache-2.0
// The sources of certificates that another program or a person renews: a Secret, and files.
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include <pintle/base/file.hpp>
#include <pintle/http/pem.hpp>
#include <pintle/http/transport.hpp>
#include <pintle/object/bytes.hpp>

#include "base/folder_watch.hpp"
#include "certificate_source.hpp"
#include "http/certificate_reads.hpp"

namespace pintle {
namespace {

// A text and its name in errors.
struct NamedText {
  std::string name{};
  std::string text{};
};

struct GivenTexts {
  NamedText certificate{};
  NamedText key{};
  NamedText authorities{};  // empty: unknown
};

http::PemText pem(const NamedText& one) { return {one.name, one.text}; }

class GivenSource final : public CertificateSource {
 public:
  using Read = std::function<Result<GivenTexts>(const std::stop_token&)>;
  // `folders`: of the files; null: no files.
  GivenSource(const Clock& clock, Read read, GivenSourceOptions options, http::CertificateReads reads,
              std::unique_ptr<FolderWatch> folders)
      : clock_(options.clock == nullptr ? clock : *options.clock),
        read_(std::move(read)),
        options_(options),
        reads_(reads),
        folders_(std::move(folders)) {}

  Result<SourcedCertificates> update(const TrustView& /*view*/, const std::stop_token& stop) override {
    reads_.all.add();
    auto found = find(stop);
    if (!found) reads_.failed.add();
    return found;
  }
  [[nodiscard]] Authorities known() const override { return known_; }
  [[nodiscard]] bool removes(Duration since) const override { return since >= options_.overlap; }
  [[nodiscard]] WallTime now() const override { return clock_.wall_now(); }
  [[nodiscard]] bool wait(Executor& executor, Duration limit, const std::stop_token& stop) override {
    return folders_ == nullptr ? CertificateSource::wait(executor, limit, stop) : folders_->wait(limit, stop);
  }

 private:
  Result<SourcedCertificates> find(const std::stop_token& stop) {
    auto given = read_(stop);
    if (!given) return fail(std::move(given.error()));
    const auto checked = http::validate_key_pair(pem(given->certificate), pem(given->key));
    if (!checked) return fail(checked.error());
    SourcedCertificates found{
        .serving = {.certificate = std::move(given->certificate.text), .key = std::move(given->key.text)}};
    if (given->authorities.text.empty()) {
      found.manages_trust = false;
      known_.clear();
      return found;
    }
    const auto valid = http::validate_certificates(pem(given->authorities));
    if (!valid) return fail(valid.error());
    found.signers = authorities_in(given->authorities.text);
    found.trusted = found.signers;
    known_ = found.trusted;
    return found;
  }

  const Clock& clock_;
  const Read read_;
  const GivenSourceOptions options_;
  const http::CertificateReads reads_;
  const std::unique_ptr<FolderWatch> folders_;
  Authorities known_;
};

Result<GivenTexts> read_secret(Client& client, const ObjectKey& key, const std::stop_token& stop) {
  const auto secret = client.get(Type{"v1", "Secret"}, key, stop);
  if (!secret) return fail(secret.error());
  GivenTexts texts;
  for (const auto& [name, into] :
       {std::pair{"tls.crt", &texts.certificate}, {"tls.key", &texts.key}, {"ca.crt", &texts.authorities}}) {
    into->name = std::string(name) + " of Secret " + key.to_string();
    auto data = Bytes::from_base64(secret->root().member("data").member(name).text());
    if (!data) return fail(ErrorCode::invalid, into->name + ": " + data.error().message);
    into->text = std::move(data->data);
  }
  return texts;
}

std::vector<std::string> folders_of(const CertificateFiles& files) {
  std::vector<std::string> folders;
  for (const std::string* file : {&files.certificate_file, &files.key_file, &files.ca_file}) {
    if (file->empty()) continue;
    std::string folder = std::filesystem::path(*file).parent_path();
    folders.push_back(folder.empty() ? "." : std::move(folder));
  }
  return folders;
}

Result<GivenTexts> read_files(const CertificateFiles& files) {
  GivenTexts texts;
  for (const auto& [name, into] : {std::pair{&files.certificate_file, &texts.certificate},
                                   {&files.key_file, &texts.key},
                                   {&files.ca_file, &texts.authorities}}) {
    if (name->empty()) continue;
    into->name = *name;
    auto content = read_file(*name);
    if (!content) return fail(std::move(content.error()));
    into->text = std::move(*content);
  }
  return texts;
}

}  // namespace

std::unique_ptr<CertificateSource> given_secret_source(Client& client, ObjectKey secret, GivenSourceOptions options) {
  return std::make_unique<GivenSource>(
      client.transport().executor(),
      [&client, secret = std::move(secret)](const std::stop_token& stop) { return read_secret(client, secret, stop); },
      options, http::CertificateReads{}, nullptr);
}

std::unique_ptr<CertificateSource> file_source(Executor& executor, CertificateFiles files, GivenSourceOptions options) {
  const http::CertificateReads reads =
      files.metrics == nullptr ? http::CertificateReads{} : http::certificate_reads(*files.metrics);
  auto folders = std::make_unique<FolderWatch>(executor, folders_of(files));
  return std::make_unique<GivenSource>(
      executor, [files = std::move(files)](const std::stop_token&) { return read_files(files); }, options, reads,
      std::move(folders));
}

}  // namespace pintle
