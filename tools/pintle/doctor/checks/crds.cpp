// SPDX-License-Identifier: Apache-2.0
// The check crds.
#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <pintle/object/schema/crd.hpp>

#include "doctor/checks/checks.hpp"
#include "doctor/conditions.hpp"
#include "doctor/crd_difference.hpp"

namespace pintle::doctor {
namespace {

const NeededRule crd_rule{"apiextensions.k8s.io", "customresourcedefinitions"};

std::string subject_of(const Object& crd) { return fmt::format("CRD {}", crd.name()); }

// Reports a state in which the server does not serve the kind. Returns whether there is one.
bool report_unserved(const Object& crd, Lines& lines) {
  if (crd.is_deleting()) {
    lines.fail(subject_of(crd), "is being deleted, with all objects of its kind",
               fmt::format("wait until it is gone, then install it again; if it stays, remove the finalizers of its "
                           "objects (`kubectl get {} --all-namespaces`)",
                           crd.name()));
    return true;
  }
  for (const char* type : {"NamesAccepted", "Established"}) {
    const json::View condition = condition_of(crd, type);
    if (is_true(condition)) continue;
    const std::string why =
        condition ? fmt::format("{}: {}", condition.member("reason").text(), condition.member("message").text())
                  : "no condition";
    const bool has_clash = type == std::string_view("NamesAccepted") && condition.exists();
    lines.fail(subject_of(crd), fmt::format("is not served: condition {} is not True ({})", type, why),
               has_clash
                   ? "another CRD of the group has the same names: delete it, or rename the kind, plural or short "
                     "names of one of the two (`kubectl get crd`)"
                   : "wait a few seconds and repeat; then check the log of the API server");
    return true;
  }
  return false;
}

// Versions in which objects may still be stored although the CRD stores another one.
bool report_stored(const Object& crd, Lines& lines) {
  const CrdView view(crd.root());
  std::vector<std::string_view> old;
  const json::View stored = crd["/status/storedVersions"];
  for (const json::View one : stored.elements()) {
    if (one.text() == view.stored_version()) continue;
    old.push_back(one.text());
    if (view.version(one.text())) continue;
    lines.fail(subject_of(crd),
               fmt::format("objects may be stored in version {}, which spec.versions lacks", one.text()),
               fmt::format("add version {} to the CRD (served: false), then run `pintle migrate-storage {}`",
                           one.text(), crd.name()));
    return true;
  }
  if (old.empty()) return false;
  lines.warn(subject_of(crd),
             fmt::format("objects may still be stored in version {}; the CRD stores {}", fmt::join(old, ", "),
                         view.stored_version()),
             fmt::format("pintle migrate-storage {}", crd.name()));
  return true;
}

// Compares an installed CRD with that of the program.
class CrdComparison {
 public:
  CrdComparison(const Object& installed, const Object& printed, const Program& program, Lines& lines)
      : installed_(installed), printed_(printed), program_(program), lines_(lines) {}

  // Returns whether there is a difference.
  bool report() { return report_identity() || report_versions() || report_schema(); }

 private:
  [[nodiscard]] std::string apply() const {
    return fmt::format("{} --print-crds | kubectl apply --server-side -f -", program_.command);
  }

  bool report_identity() {
    const CrdView theirs(installed_.root());
    const CrdView ours(printed_.root());
    if (theirs.kind() == ours.kind() && theirs.scope() == ours.scope()) return false;
    lines_.fail(subject_of(printed_),
                fmt::format("defines kind {} with scope {}; the program has kind {} with scope {}", theirs.kind(),
                            to_string(theirs.scope()), ours.kind(), to_string(ours.scope())),
                "change the kind, the plural or the scope in the program, or delete the CRD (and all its objects)");
    return true;
  }

  bool report_versions() {
    const CrdView theirs(installed_.root());
    const CrdView ours(printed_.root());
    const std::vector<std::string> served = theirs.served_versions();
    for (const std::string& version : ours.served_versions()) {
      if (std::ranges::find(served, version) != served.end()) continue;
      const bool exists = theirs.version(version).exists();
      lines_.fail(subject_of(printed_),
                  fmt::format("{} version {}, which the program uses", exists ? "does not serve" : "lacks", version),
                  apply());
      return true;
    }
    if (theirs.stored_version() == ours.stored_version()) return false;
    lines_.warn(subject_of(printed_),
                fmt::format("stores version {}; the program stores {}", theirs.stored_version(), ours.stored_version()),
                fmt::format("{}; then: pintle migrate-storage {}", apply(), printed_.name()));
    return true;
  }

  bool report_schema() {
    const CrdDifferences found = compare_crds(installed_.root(), printed_.root());
    if (found.pointers.empty()) return false;
    const std::string detail =
        fmt::format("differs from the program at {}{}", fmt::join(found.pointers, ", "), found.has_more ? ", …" : "");
    if (found.is_lossy) {
      lines_.fail(subject_of(printed_), detail, apply());
    } else {
      lines_.warn(subject_of(printed_), detail + "; the installed CRD has more than the program",
                  "start the newest version of the program, or, if this is the newest one: " + apply());
    }
    return true;
  }

  const Object& installed_;
  const Object& printed_;
  const Program& program_;
  Lines& lines_;
};

void check_crd(const Object& crd, const Object* printed, const CheckInput& input, Lines& lines) {
  const bool is_unserved = report_unserved(crd, lines);
  const bool differs = printed != nullptr && CrdComparison(crd, *printed, *input.program, lines).report();
  const bool is_stored = report_stored(crd, lines);
  if (is_unserved || differs || is_stored || printed == nullptr) return;
  lines.ok(subject_of(crd), "is served, and equal to that of the program");
}

void check_all_crds(const CheckInput& input, Lines& lines) {
  const auto& crds = input.cluster.list(crd_type);
  if (!crds) return lines.unreadable("CRDs", crds.error(), crd_rule);
  for (const Object& crd : crds->objects) check_crd(crd, nullptr, input, lines);
  if (lines.empty()) lines.ok_of_all("CRDs", crds->objects.size(), "are served");
}

}  // namespace

void check_crds(const CheckInput& input, Lines& lines) {
  if (!input.program) return check_all_crds(input, lines);
  for (const Object& printed : input.program->crds) {
    const auto installed = input.cluster.get(crd_type, {.name = std::string(printed.name())});
    if (installed) {
      check_crd(*installed, &printed, input, lines);
    } else if (installed.error().code == ErrorCode::not_found) {
      lines.fail(subject_of(printed), "is not installed",
                 fmt::format("{} --print-crds | kubectl apply --server-side -f -", input.program->command));
    } else {
      lines.unreadable(subject_of(printed), installed.error(), {crd_rule.group, crd_rule.resource, "get"});
    }
  }
  if (lines.empty()) lines.ok("CRDs", "the program has none of its own");
}

}  // namespace pintle::doctor
