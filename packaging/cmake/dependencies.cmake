# Everything that comes from outside. What is optional says, in the summary, what is missing without it.
include(FeatureSummary)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(Threads REQUIRED)

find_package(Protobuf QUIET)
set_package_properties(Protobuf PROPERTIES DESCRIPTION "reads ONNX files" URL "libprotobuf-dev" TYPE RECOMMENDED)

find_package(CLI11 QUIET)
set_package_properties(CLI11 PROPERTIES DESCRIPTION "the command line" URL "libcli11-dev" TYPE RECOMMENDED)

find_package(dnnl QUIET)
set_package_properties(dnnl PROPERTIES DESCRIPTION "oneDNN kernels for the CPU" URL "libdnnl-dev ocl-icd-opencl-dev" TYPE RECOMMENDED)

set(PLIMSOLL_HAVE_QT FALSE)
if(PLIMSOLL_APP OR PLIMSOLL_TESTS)
  find_package(Qt6 6.4 QUIET COMPONENTS Core Gui Widgets Svg Test)
  set_package_properties(Qt6 PROPERTIES DESCRIPTION "the window and the tests" URL "qt6-base-dev qt6-svg-dev libqt6opengl6-dev" TYPE RECOMMENDED)
  set(PLIMSOLL_HAVE_QT ${Qt6_FOUND})
endif()
