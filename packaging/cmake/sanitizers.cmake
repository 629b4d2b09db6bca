# PLIMSOLL_SANITIZE=address,undefined or thread: set by the presets of the same names.
set(PLIMSOLL_SANITIZE "" CACHE STRING "Sanitizers to build with, as -fsanitize takes them")
if(PLIMSOLL_SANITIZE)
  add_compile_options(-fsanitize=${PLIMSOLL_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=${PLIMSOLL_SANITIZE})
endif()
