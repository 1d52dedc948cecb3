// SPDX-License-Identifier: Apache-2.0
// finalizer-operator: creates a folder on this machine for each Folder, and removes it before the object is deleted.
#include <filesystem>
#include <fstream>

#include <pintle/pintle.hpp>

struct Folder {
  static constexpr pintle::Type type{"demo.pintle.dev/v1", "Folder"};
  struct Spec {
    std::string note = "made by finalizer-operator";
    static constexpr auto fields() {
      return pintle::fields(pintle::field("note", &Spec::note, "Content of README.txt in the folder."));
    }
  };
  pintle::Metadata metadata{};
  Spec spec{};
};

// The path is relative to the folder in which the operator was started.
std::filesystem::path place_of(const Folder& folder) {
  return std::filesystem::path("folders") / folder.metadata.namespace_ / folder.metadata.name;
}

pintle::Outcome make_folder(const Folder& folder, pintle::Context& ctx) {
  std::error_code error;
  std::filesystem::create_directories(place_of(folder), error);
  if (error) return pintle::fail(pintle::ErrorCode::unavailable, "cannot create the folder: " + error.message());
  std::ofstream readme(place_of(folder) / "README.txt");
  if (!(readme << folder.spec.note << '\n'))
    return pintle::fail(pintle::ErrorCode::unavailable, "cannot write README.txt");
  ctx.event(pintle::EventType::normal, "FolderMade", "the folder exists");
  return pintle::done;
}

// Called until it returns done. It must be idempotent: it may be called again, or for a folder that was never created.
pintle::Outcome remove_folder(const Folder& folder, pintle::Context&) {
  std::error_code error;
  std::filesystem::remove_all(place_of(folder), error);
  if (error) return pintle::fail(pintle::ErrorCode::unavailable, "cannot remove the folder: " + error.message());
  return pintle::done;
}

pintle::Controller<Folder> folders() {
  return {.reconcile = make_folder, .finalize = remove_folder, .finalizer = "demo.pintle.dev/folder"};
}

int main(int argc, char** argv) {
  pintle::Manager manager{{.name = "finalizer-operator", .args = {argc, argv}}};
  manager.add(folders());
  return pintle::run_until_signal(manager);
}
