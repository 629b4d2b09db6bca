# Everything that comes from outside. What is optional says, in the summary, what is missing without it.
include(FeatureSummary)
find_package(fmt 9 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(Threads REQUIRED)
find_package(absl REQUIRED)
# Debian's packages of RE2 and libseccomp bring nothing for CMake.
find_library(PLIMSOLL_RE2 re2 REQUIRED)
find_path(PLIMSOLL_RE2_HEADERS re2/re2.h REQUIRED)
find_library(PLIMSOLL_SECCOMP seccomp REQUIRED)
find_path(PLIMSOLL_SECCOMP_HEADERS seccomp.h REQUIRED)

find_package(Protobuf QUIET)
set_package_properties(Protobuf PROPERTIES DESCRIPTION "reads programs of XLA as protobuf" URL "libprotobuf-dev" TYPE RECOMMENDED)

find_package(FlatBuffers QUIET)
set_package_properties(FlatBuffers PROPERTIES DESCRIPTION "reads TensorFlow Lite models and ExecuTorch programs" URL "libflatbuffers-dev flatbuffers-compiler" TYPE RECOMMENDED)
if(FlatBuffers_FOUND) # Debian's package names a compiler that it does not bring
  find_program(PLIMSOLL_FLATC flatc)
endif()

find_package(CLI11 QUIET)
set_package_properties(CLI11 PROPERTIES DESCRIPTION "the command line" URL "libcli11-dev" TYPE RECOMMENDED)

find_package(dnnl QUIET)
set_package_properties(dnnl PROPERTIES DESCRIPTION "oneDNN kernels for the CPU" URL "libdnnl-dev ocl-icd-opencl-dev" TYPE RECOMMENDED)

set(PLIMSOLL_HAVE_QT FALSE)
if(PLIMSOLL_APP OR PLIMSOLL_TESTS)
  find_package(Qt6 6.4 QUIET COMPONENTS Core Gui Widgets Svg Test)
  set_package_properties(Qt6 PROPERTIES DESCRIPTION "the window and the tests" URL "qt6-base-dev qt6-svg-dev libqt6opengl6-dev" TYPE RECOMMENDED)
  set(PLIMSOLL_HAVE_QT ${Qt6_FOUND})
  find_package(Qt6LinguistTools 6.4 QUIET)
  set_package_properties(Qt6LinguistTools PROPERTIES DESCRIPTION "the window in other languages than English" URL "qt6-tools-dev qt6-l10n-tools" TYPE RECOMMENDED)
  if(Qt6_FOUND) # Without the folders that only QFINDTESTDATA reads: they would make each test's objects unlike all others'.
    set_target_properties(Qt6::Test PROPERTIES INTERFACE_COMPILE_DEFINITIONS QT_TESTLIB_LIB)
  endif()
endif()

set(PLIMSOLL_HAVE_CUDA FALSE)
if(NOT PLIMSOLL_CUDA STREQUAL "OFF")
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    if(NOT CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 80 90)
    endif()
    enable_language(CUDA)
    if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION) # CMake 3.25 does not know this mode of CUDA 13
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
      list(APPEND CMAKE_CUDA_COMPILE_FEATURES cuda_std_20)
    endif()
    set(PLIMSOLL_HAVE_CUDA TRUE)
  elseif(PLIMSOLL_CUDA STREQUAL "REQUIRED")
    message(FATAL_ERROR "PLIMSOLL_CUDA is REQUIRED, and no CUDA compiler was found (is nvcc on the PATH?)")
  endif()
endif()
