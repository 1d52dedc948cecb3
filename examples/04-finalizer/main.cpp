// finalizer-operator: for every Folder, a folder on this machine, which goes before the object does.
#include <filesystem>
#include <fstream>

#include <pintle/pintle.hpp>

struct Folder {
  static constexpr pintle::Type type{"demo.pintle.dev/v1", "Folder"};
  struct Spec {
    std::string note = "made by finalizer-operator";
    static constexpr auto fields() {
      return pintle::fields(pintle::field("note", &Spec::note, "What README.txt in the folder says."));
    }
  };
  pintle::Metadata metadata{};
  Spec spec{};
};

// Below the folder the operator was started in.
std::filesystem::path place_of(const Folder& folder) {
  return std::filesystem::path("folders") / folder.metadata.namespace_ / folder.metadata.name;
}

pintle::Outcome make_folder(const Folder& folder, pintle::Context& ctx) {
  std::error_code error;
  std::filesystem::create_directories(place_of(folder), error);
  if (error) return pintle::fail(pintle::ErrorCode::unavailable, "make the folder: " + error.message());
  std::ofstream readme(place_of(folder) / "README.txt");
  if (!(readme << folder.spec.note << '\n')) return pintle::fail(pintle::ErrorCode::unavailable, "write README.txt");
  ctx.event(pintle::EventType::normal, "FolderMade", "the folder is there");
  return pintle::settled;
}

// Called until it settles. What is not there counts as removed: it may be called again, or for a folder never made.
pintle::Outcome remove_folder(const Folder& folder, pintle::Context&) {
  std::error_code error;
  std::filesystem::remove_all(place_of(folder), error);
  if (error) return pintle::fail(pintle::ErrorCode::unavailable, "remove the folder: " + error.message());
  return pintle::settled;
}

pintle::Controller<Folder> folders() {
  return {.reconcile = make_folder, .finalize = remove_folder, .finalizer = "demo.pintle.dev/folder"};
}

int main(int argc, char** argv) {
  pintle::Manager manager{{.name = "finalizer-operator", .args = {argc, argv}}};
  manager.add(folders());
  return pintle::run_until_signal(manager);
}
