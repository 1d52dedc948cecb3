// SPDX-License-Identifier: Apache-2.0
#include "declared_conversions.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <pintle/json/document.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/object/schema/crd.hpp>
#include <pintle/object/versions.hpp>

#include "webhook/conversions.hpp"

namespace pintle {
namespace {

// A watch of a controller whose CRD is declared.
struct DeclaredWatch {
  std::string controller{};
  GroupVersionKind kind{};
  std::string cluster{};
  const json::Value* crd = nullptr;
  bool is_awaited = true;
  bool has_conversion = false;  // compared as a conversion
};

std::vector<DeclaredWatch> watches_of(const std::vector<AnyController>& controllers) {
  std::vector<DeclaredWatch> all;
  for (const AnyController& one : controllers) {
    if (one.crd) {
      all.push_back({.controller = one.name,
                     .kind = one.watch.kind,
                     .cluster = one.cluster,
                     .crd = &*one.crd,
                     .has_conversion = one.conversion.has_value()});
    }
    for (const Watches& watched : one.watches) {
      if (!watched.crd) continue;
      all.push_back({.controller = one.name,
                     .kind = watched.kind.value(),
                     .cluster = watched.cluster.empty() ? one.cluster : watched.cluster,
                     .crd = &*watched.crd,
                     .is_awaited = watched.required});
    }
  }
  return all;
}

std::size_t count_versions(const json::Value& crd) {
  const json::Value* versions = json::find(crd, "/spec/versions");
  return versions != nullptr && versions->is_array() ? versions->get_array().size() : 0;
}
std::string stored_version(const json::Value& crd) {
  return std::string(CrdView(json::Document(crd).root()).stored_version());
}
bool is_foreign_crd(const json::Value& crd) { return CrdView(json::Document(crd).root()).is_foreign(); }

// Two declarations of the versions of one struct have the same function. Other functions cannot be compared.
bool is_same(const AnyConversion& a, const AnyConversion& b) {
  using Function = Result<json::Value> (*)(const Object&, std::string_view);
  const Function* one = a.convert.target<Function>();
  const Function* other = b.convert.target<Function>();
  return a.kind == b.kind && one != nullptr && other != nullptr && *one == *other;
}

std::string group_kind(const GroupVersionKind& kind) { return kind.group + " " + kind.kind; }

// The conversions with the places at which they are declared.
struct Declaration {
  const AnyConversion* conversion;
  std::string place;
};

std::vector<Declaration> declarations_of(const std::vector<AnyController>& controllers,
                                         const std::vector<AnyConversion>& added) {
  std::vector<Declaration> all;
  for (const AnyConversion& one : added) all.push_back({&one, "Manager::add()"});
  for (const AnyController& one : controllers) {
    // The owner of a foreign CRD converts the objects.
    if (!one.conversion || (one.crd && is_foreign_crd(*one.crd))) continue;
    all.push_back({&*one.conversion, "controller " + one.name});
  }
  return all;
}

// The CRD with the most versions that the controllers declare for a kind.
const json::Value* most_versions(const std::vector<DeclaredWatch>& watches, const GroupVersionKind& kind,
                                 const std::string* cluster) {
  const json::Value* best = nullptr;
  for (const DeclaredWatch& one : watches) {
    if (!is_same_kind(one.kind, kind) || (cluster != nullptr && one.cluster != *cluster)) continue;
    if (best == nullptr || count_versions(*one.crd) > count_versions(*best)) best = one.crd;
  }
  return best;
}

class ConversionCheck {
 public:
  ConversionCheck(const std::vector<AnyController>& controllers, const std::vector<AnyConversion>& added)
      : watches_(watches_of(controllers)),
        declarations_(declarations_of(controllers, added)),
        conversions_(declared_conversions(controllers, added)) {
    for (const AnyConversion& one : added) check_crd(one);
  }

  std::vector<Error> run() {
    for (Error& error : validate(conversions_)) errors_.push_back(std::move(error));
    check_hubs();
    check_watches();
    check_hubs_without_conversion();
    return std::move(errors_);
  }

 private:
  void wrong(std::string message) { errors_.push_back(make_error(ErrorCode::invalid, std::move(message))); }

  // The CRDs of controllers are checked with the controllers. The address is added later.
  void check_crd(const AnyConversion& added) {
    if (!added.crd || !added.crd->is_object()) return;
    json::Value complete = *added.crd;
    const ConversionWebhook any{.url = "https://webhook"};
    internal::add_conversion(complete, &any);
    if (auto sound = validate_crd(complete); !sound) errors_.push_back(std::move(sound.error()));
  }

  // Compares each declaration with the first one of its kind.
  void check_hubs() {
    for (auto one = declarations_.begin(); one != declarations_.end(); ++one) {
      const AnyConversion& conversion = *one->conversion;
      const auto first = std::find_if(declarations_.begin(), one, [&](const Declaration& other) {
        return is_same_kind(other.conversion->kind, conversion.kind);
      });
      if (first == one || is_same(*first->conversion, conversion)) continue;
      const std::string& hub = first->conversion->kind.version;
      if (hub != conversion.kind.version) {
        wrong(two_hubs(conversion.kind, hub, first->place, conversion.kind.version, one->place));
      } else {
        wrong("the conversion of " + conversion.kind.to_string() + " is declared by " + first->place + " and by " +
              one->place + "; remove one of the two");
      }
    }
  }

  static std::string two_hubs(const GroupVersionKind& kind, const std::string& a, const std::string& place_a,
                              const std::string& b, const std::string& place_b) {
    return group_kind(kind) + " has two hubs: " + a + " (" + place_a + ") and " + b + " (" + place_b +
           "); list all versions in the `using versions` of one struct, the hub first";
  }

  void check_watches() {
    for (const DeclaredWatch& one : watches_) {
      if (is_foreign_crd(*one.crd)) continue;
      const json::Document crd(*one.crd);
      const AnyConversion* conversion = find_conversion(conversions_, one.kind);
      if (conversion == nullptr) {
        check_served(one, crd.root());
      } else if (has_other_hub(one, *conversion)) {
        wrong(two_hubs(one.kind, conversion->kind.version, "its conversion", stored_version(*one.crd),
                       "controller " + one.controller));
      } else if (conversion->crd && !CrdView(json::Document(*conversion->crd).root()).version(one.kind.version)) {
        wrong("controller " + one.controller + " watches version " + one.kind.version + " of " + group_kind(one.kind) +
              ", which the conversion to its hub " + conversion->kind.version +
              " does not have; add the struct to its versions, or watch another version");
      }
    }
  }

  static bool has_other_hub(const DeclaredWatch& watch, const AnyConversion& conversion) {
    return !watch.has_conversion && count_versions(*watch.crd) > 1 &&
           stored_version(*watch.crd) != conversion.kind.version;
  }

  // A CRD with an address refers to a webhook of another program.
  void check_served(const DeclaredWatch& watch, json::View crd) {
    if (crd["/spec/conversion/strategy"] != "Webhook" || crd["/spec/conversion/webhook/clientConfig"]) return;
    wrong("controller " + watch.controller + " watches " + watch.kind.to_string() +
          ", whose versions must be converted by a webhook, but no conversion is declared; add it with "
          "manager.add(STRUCT::versions::conversion()), or set the address of another webhook in the CRD");
  }

  void check_hubs_without_conversion() {
    std::map<std::pair<std::string, std::string>, const DeclaredWatch*> first;
    for (const DeclaredWatch& one : watches_) {
      if (count_versions(*one.crd) < 2 || find_conversion(conversions_, one.kind) != nullptr) continue;
      const auto [known, is_new] = first.emplace(std::pair(one.cluster, group_kind(one.kind)), &one);
      if (is_new) continue;
      const DeclaredWatch& other = *known->second;
      const std::string a = stored_version(*other.crd);
      const std::string b = stored_version(*one.crd);
      if (a != b) wrong(two_hubs(one.kind, a, "controller " + other.controller, b, "controller " + one.controller));
    }
  }

  const std::vector<DeclaredWatch> watches_;
  const std::vector<Declaration> declarations_;
  const std::vector<AnyConversion> conversions_;
  std::vector<Error> errors_;
};

}  // namespace

std::vector<AnyConversion> declared_conversions(const std::vector<AnyController>& controllers,
                                                const std::vector<AnyConversion>& added) {
  const std::vector<DeclaredWatch> watches = watches_of(controllers);
  std::vector<AnyConversion> all;
  for (const Declaration& one : declarations_of(controllers, added)) {
    if (find_conversion(all, one.conversion->kind) != nullptr) continue;
    AnyConversion& made = all.emplace_back(*one.conversion);
    if (made.crd) continue;
    const json::Value* crd = most_versions(watches, made.kind, nullptr);
    if (crd != nullptr && !is_foreign_crd(*crd)) made.crd = *crd;
  }
  return all;
}

const AnyConversion* find_conversion(const std::vector<AnyConversion>& conversions, const GroupVersionKind& kind) {
  const auto found = std::find_if(conversions.begin(), conversions.end(),
                                  [&](const AnyConversion& one) { return is_same_kind(one.kind, kind); });
  return found == conversions.end() ? nullptr : &*found;
}

std::string crd_name_of(const AnyConversion& conversion) {
  if (!conversion.crd) return crd_name(default_plural(conversion.kind.kind), conversion.kind.group);
  return std::string(CrdView(json::Document(*conversion.crd).root()).name());
}

std::vector<Error> validate_conversions(const std::vector<AnyController>& controllers,
                                        const std::vector<AnyConversion>& added) {
  return ConversionCheck(controllers, added).run();
}

std::vector<DeclaredCrd> declared_crds(const std::vector<AnyController>& controllers,
                                       const std::vector<AnyConversion>& conversions) {
  const std::vector<DeclaredWatch> watches = watches_of(controllers);
  std::vector<DeclaredCrd> all;
  for (const DeclaredWatch& one : watches) {
    const AnyConversion* conversion = is_foreign_crd(*one.crd) ? nullptr : find_conversion(conversions, one.kind);
    const bool is_converted = conversion != nullptr && conversion->crd;
    all.push_back({.crd = is_converted ? *conversion->crd : *most_versions(watches, one.kind, &one.cluster),
                   .kind = one.kind,
                   .cluster = one.cluster,
                   .is_awaited = one.is_awaited,
                   .is_converted = is_converted});
  }
  for (const AnyConversion& one : conversions) {
    const bool is_watched = std::any_of(all.begin(), all.end(), [&](const DeclaredCrd& crd) {
      return crd.is_converted && crd.cluster == home_cluster && is_same_kind(crd.kind, one.kind);
    });
    if (one.crd && !is_watched) {
      all.push_back({.crd = *one.crd, .kind = one.kind, .cluster = std::string(home_cluster), .is_converted = true});
    }
  }
  return all;
}

}  // namespace pintle
