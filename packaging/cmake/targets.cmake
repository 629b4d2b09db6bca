# How targets are declared here, so that the folders' lists say only names and links.

# moc of Qt 6.4 cannot parse libstdc++'s C++20 headers, which it only enters with the compiler's predefined macros:
# AUTOMOC_COMPILER_PREDEFINES is off. And nothing generated is an input of moc, so it waits for no other target.

# plimsoll_add_library(ops SOURCES a.cpp b.cpp LINK plimsoll::graph)
# makes the static library plimsoll_ops with the alias plimsoll::ops. Includes are written from the repository's root.
# ONCE: what it does, it does once for a file or a click. A release compiles it with -O1, in two thirds of the time.
function(plimsoll_add_library name)
  cmake_parse_arguments(arg "QT;ONCE" "" "SOURCES;LINK;PRIVATE_LINK" ${ARGN})
  set(target plimsoll_${name})
  if(NOT arg_SOURCES)
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE ${arg_LINK})
    target_include_directories(${target} INTERFACE ${PROJECT_SOURCE_DIR})
  else()
    add_library(${target} STATIC ${arg_SOURCES})
    target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR})
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_link_libraries(${target} PUBLIC ${arg_LINK} PRIVATE plimsoll::warnings ${arg_PRIVATE_LINK})
    if(arg_ONCE)
      target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
    endif()
    if(arg_QT)
      set_target_properties(${target} PROPERTIES AUTOMOC ON AUTOMOC_COMPILER_PREDEFINES OFF AUTOGEN_ORIGIN_DEPENDS OFF
        AUTOGEN_TARGET_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/CMakeLists.txt)
      target_compile_definitions(${target} PRIVATE QT_NO_CAST_FROM_ASCII QT_NO_KEYWORDS)
    endif()
    if(NOT arg_QT)
      plimsoll_use_precompiled(${target} std)
    elseif("Qt6::Widgets" IN_LIST arg_LINK)
      plimsoll_use_precompiled(${target} window)
    else()
      plimsoll_use_precompiled(${target} app)
    endif()
    plimsoll_unite(${target})
  endif()
  add_library(plimsoll::${name} ALIAS ${target})
endfunction()

# plimsoll_add_executable(plimsoll-cli SOURCES main.cpp LINK plimsoll::kernels)
function(plimsoll_add_executable name)
  cmake_parse_arguments(arg "QT" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_link_libraries(${name} PRIVATE ${arg_LINK} plimsoll::warnings)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  if(arg_QT)
    set_target_properties(${name} PROPERTIES AUTOMOC ON AUTOMOC_COMPILER_PREDEFINES OFF AUTOGEN_ORIGIN_DEPENDS OFF
        AUTOGEN_TARGET_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/CMakeLists.txt AUTORCC ON)
    target_compile_definitions(${name} PRIVATE QT_NO_CAST_FROM_ASCII QT_NO_KEYWORDS)
  endif()
endfunction()

# plimsoll_add_test(core/tst_interval LINK plimsoll::base [SOURCES more.cpp] [LABELS core] [TIMEOUT 120])
# builds tests/core/tst_interval.cpp, a QtTest with one QObject, and registers it.
function(plimsoll_add_test path)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;LINK;LABELS" ${ARGN})
  get_filename_component(name ${path} NAME)
  get_filename_component(folder ${path} DIRECTORY)
  add_executable(${name} ${PROJECT_SOURCE_DIR}/tests/${path}.cpp ${arg_SOURCES})
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_link_libraries(${name} PRIVATE Qt6::Test ${arg_LINK} plimsoll::test_support plimsoll::warnings)
  set_target_properties(${name} PROPERTIES AUTOMOC ON AUTOMOC_COMPILER_PREDEFINES OFF AUTOGEN_ORIGIN_DEPENDS OFF
        AUTOGEN_TARGET_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/CMakeLists.txt RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  target_compile_definitions(${name} PRIVATE
    PLIMSOLL_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    PLIMSOLL_SHARED_DIR="${PLIMSOLL_SHARED_DIR}"
    PLIMSOLL_CLI="${PROJECT_BINARY_DIR}/bin/plimsoll-cli"
    PLIMSOLL_APP="${PROJECT_BINARY_DIR}/bin/plimsoll")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  if(PLIMSOLL_SANITIZE) # The instrumented tests take up to ten times as long.
    math(EXPR arg_TIMEOUT "10 * ${arg_TIMEOUT}")
  endif()
  add_test(NAME ${path} COMMAND ${name})
  set_tests_properties(${path} PROPERTIES
    TIMEOUT ${arg_TIMEOUT} LABELS "${folder};${arg_LABELS}"
    ENVIRONMENT "QT_QPA_PLATFORM=offscreen;XDG_RUNTIME_DIR=${PROJECT_BINARY_DIR}/runtime;LC_ALL=C.UTF-8;LANGUAGE=")
endfunction()
