# Warnings are a target: what links plimsoll::warnings is compiled under them.
option(PLIMSOLL_WERROR "Treat warnings as errors (CI and developers)" OFF)

add_library(plimsoll_warnings INTERFACE)
add_library(plimsoll::warnings ALIAS plimsoll_warnings)
target_compile_options(plimsoll_warnings INTERFACE
  -Wall -Wextra
  -Wshadow            # a name that hides another is read wrongly
  -Wconversion        # sizes are 64-bit: every narrowing is written out
  -Wno-sign-conversion # indexes of std containers are unsigned, ours signed: the cast would be everywhere
  -Wnon-virtual-dtor  # deleting through a base without one leaks
  -Woverloaded-virtual
  # g++ 12 at -O2 warns wrongly of "text" + std::string (GCC bug 105651) and of an empty std::optional of a vector.
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-Wno-restrict>
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-Wno-maybe-uninitialized>
  -Wno-missing-field-initializers # designated initialisers leave defaults on purpose
)
if(PLIMSOLL_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU") # so it does of its own <regex> when sanitizing
  target_compile_options(plimsoll_warnings INTERFACE -Wno-maybe-uninitialized)
endif()
if(PLIMSOLL_WERROR)
  target_compile_options(plimsoll_warnings INTERFACE -Werror)
endif()
