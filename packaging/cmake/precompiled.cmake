# PLIMSOLL_PCH saves a third of a build from nothing: most of it goes into reading the same headers again and again.
# Off for developers, so that every file is also compiled with only what it includes itself.
#
# Not for tests: Qt's words (slots, emit) are macros there, and must not be read before our own headers.
# g++ takes a precompiled header only where the macros that it saw have not changed; so there is one for each kind of target.
option(PLIMSOLL_PCH "Precompile the headers of the standard library and of Qt" OFF)

# ccache needs the first; g++ 12 takes inlined code of a precompiled std::string for ours, and warns of it.
set(plimsoll_pch_options $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow> $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overread>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds>)

set(plimsoll_std_headers <algorithm> <cstdint> <functional> <map> <memory> <optional> <set> <span> <string> <string_view>
  <unordered_map> <utility> <variant> <vector>)
set(plimsoll_core_headers <QAbstractItemModel> <QFile> <QJsonObject> <QObject> <QString> <QVariant>)
set(plimsoll_widgets_headers <QAction> <QApplication> <QLabel> <QPainter> <QVBoxLayout> <QWidget>)

# plimsoll_precompile(kind HEADERS <a> <b> [LINK Qt6::Core] [DEFINE QT_NO_KEYWORDS]) makes the header of a kind of target.
function(plimsoll_precompile kind)
  cmake_parse_arguments(arg "" "" "HEADERS;LINK;DEFINE" ${ARGN})
  set(source ${PROJECT_BINARY_DIR}/precompiled_${kind}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// carries the precompiled header\n")
  add_library(plimsoll_precompiled_${kind} OBJECT ${source})
  target_compile_features(plimsoll_precompiled_${kind} PRIVATE cxx_std_20)
  target_compile_definitions(plimsoll_precompiled_${kind} PRIVATE ${arg_DEFINE})
  target_link_libraries(plimsoll_precompiled_${kind} PRIVATE ${arg_LINK} plimsoll::warnings)
  target_compile_options(plimsoll_precompiled_${kind} PRIVATE ${plimsoll_pch_options})
  target_precompile_headers(plimsoll_precompiled_${kind} PRIVATE ${plimsoll_std_headers} ${arg_HEADERS})
endfunction()

# plimsoll_use_precompiled(target kind): nothing where PLIMSOLL_PCH is off, and for what serves tests.
function(plimsoll_use_precompiled target kind)
  if(PLIMSOLL_PCH AND NOT CMAKE_CURRENT_SOURCE_DIR MATCHES "^${PROJECT_SOURCE_DIR}/tests/")
    target_compile_options(${target} PRIVATE ${plimsoll_pch_options})
    target_precompile_headers(${target} REUSE_FROM plimsoll_precompiled_${kind})
  endif()
endfunction()

if(PLIMSOLL_PCH)
  plimsoll_precompile(std)
  if(PLIMSOLL_HAVE_QT)
    set(strict_qt QT_NO_CAST_FROM_ASCII QT_NO_KEYWORDS)
    plimsoll_precompile(app HEADERS ${plimsoll_core_headers} LINK Qt6::Core DEFINE ${strict_qt})
    plimsoll_precompile(window HEADERS ${plimsoll_core_headers} ${plimsoll_widgets_headers}
      LINK Qt6::Widgets DEFINE ${strict_qt})
  endif()
endif()
