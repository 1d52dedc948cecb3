// SPDX-License-Identifier: Apache-2.0
// references-operator: keeps a ConfigMap for each Bundle, with the certificates of all Secrets that the Bundle names. A
// change of one of these Secrets updates the ConfigMap.
#include <string>
#include <vector>

#include <pintle/pintle.hpp>

struct Bundle {
  static constexpr pintle::Type type{"demo.pintle.dev/v1", "Bundle"};
  struct Spec {
    std::vector<std::string> secrets{};
    static constexpr auto fields() {
      return pintle::fields(
          pintle::field("secrets", &Spec::secrets, "Names of Secrets in the same namespace, each with a ca.crt."));
    }
  };
  pintle::Metadata metadata{};
  Spec spec{};
};

// The controller also uses this function to find the Bundles that name a changed Secret.
std::vector<pintle::ObjectKey> secrets_of(const Bundle& bundle) {
  std::vector<pintle::ObjectKey> keys;
  keys.reserve(bundle.spec.secrets.size());
  for (const std::string& name : bundle.spec.secrets) keys.push_back({bundle.metadata.namespace_, name});
  return keys;
}

pintle::Outcome join_certificates(const Bundle& bundle, pintle::Context& ctx) {
  std::string certificates;
  for (const pintle::ObjectKey& key : secrets_of(bundle)) {
    const auto secret = ctx.get<pintle::Secret>(key);  // from the cache, because the kind is watched
    if (!secret && secret.error().code == pintle::ErrorCode::not_found) {
      // The ConfigMap is not changed. No timer is needed: the creation of the Secret will cause a reconcile.
      ctx.event(pintle::EventType::warning, "SecretMissing", "there is no Secret " + key.name);
      return pintle::done;
    }
    if (!secret) return pintle::failed(secret.error());
    const auto certificate = secret->data.find("ca.crt");
    if (certificate != secret->data.end()) certificates += certificate->second.data;
  }
  return ctx.apply(pintle::ConfigMap{.metadata = pintle::owned_by(bundle), .data = {{"ca.crt", certificates}}});
}

pintle::Controller<Bundle> bundles() {
  return {.owns = {pintle::ConfigMap::type},
          .watches = {{.kind = pintle::Secret::type, .references = pintle::typed_map<Bundle>(secrets_of)}},
          .reconcile = join_certificates};
}

int main(int argc, char** argv) {
  pintle::Manager manager{{.name = "references-operator", .args = {argc, argv}}};
  manager.add(bundles());
  return pintle::run_until_signal(manager);
}
