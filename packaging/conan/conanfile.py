# SPDX-License-Identifier: Apache-2.0
"""The Conan 2 recipe of pintle: conan create packaging/conan --build=missing

libfyaml is not in Conan Center, so the recipe takes it from the system; on Debian, Conan can install it:
-c tools.system.package_manager:mode=install
"""
import os

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy
from conan.tools.gnu import PkgConfigDeps
from conan.tools.system.package_manager import Apt


class Pintle(ConanFile):
    name = "pintle"
    version = "0.1.0"
    description = "A C++20 framework for Kubernetes operators"
    license = "Apache-2.0"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False]}
    default_options = {"shared": False}

    @property
    def _root(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def export_sources(self):
        # tests/package/recipe_test.py compares these with what CMake reads.
        for pattern in ("CMakeLists.txt", "LICENSE", "layers.txt", "cmake/*", "console/*", "include/*", "src/*", "tools/*"):
            copy(self, pattern, self._root, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def validate(self):
        check_min_cppstd(self, 20)
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("pintle supports Linux only")

    def requirements(self):
        # Public headers include these two.
        self.requires("boost/[>=1.81]", transitive_headers=True)
        self.requires("tl-expected/[>=1.0 <2]", transitive_headers=True)  # 20190710 is older than 1.0
        self.requires("cli11/[>=2.3]")
        self.requires("date/[>=3.0]", options={"tz_db": "system"})
        self.requires("fmt/[>=9 <12]")
        self.requires("libcurl/[>=7.88]")
        self.requires("openssl/[>=3 <4]")
        self.requires("prometheus-cpp/[>=1.0]", options={"with_pull": False, "with_push": False})
        self.requires("re2/[>=20220601]")
        self.requires("sqlite3/[>=3.40]")
        self.requires("zlib/[>=1.2.11 <2]")

    def system_requirements(self):
        Apt(self).install(["libfyaml-dev"])

    def generate(self):
        CMakeDeps(self).generate()
        PkgConfigDeps(self).generate()
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["PINTLE_SHARED"] = bool(self.options.shared)
        for part in ("TESTS", "EXAMPLES", "BENCHMARKS"):
            toolchain.cache_variables[f"PINTLE_BUILD_{part}"] = False
        toolchain.cache_variables["PINTLE_SOURCES_AT_ONCE"] = "16"
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        # find_package(pintle) finds the files that pintle installs, which describe each layer.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "pintle")]
