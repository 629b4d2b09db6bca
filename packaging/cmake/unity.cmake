# PLIMSOLL_UNITY compiles several files of a library as one: what they all include is read once, and templates are
# instantiated once. It halves a build from nothing. Off for developers: each file is compiled alone there.
#
# Files that declare the same name outside of every class are kept apart. So no unnamed namespace sees another one's
# name, and overloads stay those of the file.
option(PLIMSOLL_UNITY "Compile several files of a library as one" OFF)
set(PLIMSOLL_UNITY_FILES 8 CACHE STRING "How many files are compiled as one at most, under PLIMSOLL_UNITY")

# plimsoll_declared_names(file result): what a file declares, from its lines without indentation; rather one too many.
function(plimsoll_declared_names file result)
  file(STRINGS ${file} lines REGEX "^(#define )?[A-Za-z_]")
  set(names)
  foreach(line IN LISTS lines)
    if(line MATCHES "^(namespace|using namespace) ")
      continue()
    elseif(line MATCHES "^(struct|class|enum class|enum|union|#define|using) ([A-Za-z_][A-Za-z0-9_]*)")
      list(APPEND names ${CMAKE_MATCH_2})
    elseif(line MATCHES "^([A-Za-z_][^(=;{]*[ *&])?([A-Za-z_][A-Za-z0-9_]*) ?([(={;[]|$)")
      list(APPEND names ${CMAKE_MATCH_2})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES names)
  set(${result} ${names} PARENT_SCOPE)
endfunction()

# plimsoll_unite(target): nothing where PLIMSOLL_UNITY is off. Called where the target was made.
function(plimsoll_unite target)
  if(NOT PLIMSOLL_UNITY OR CMAKE_CURRENT_SOURCE_DIR MATCHES "^${PROJECT_SOURCE_DIR}/tests/")
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  set(groups 0)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE file)
    if(NOT source MATCHES "\\.(cpp|cu)$" OR NOT EXISTS ${file})
      continue() # generated
    endif()
    plimsoll_declared_names(${file} names)
    set(group 0)
    while(group LESS groups) # the first one that has room and none of the names
      set(both ${names} ${names_of_${group}})
      list(LENGTH both all)
      list(REMOVE_DUPLICATES both)
      list(LENGTH both different)
      if(all EQUAL different AND files_in_${group} LESS PLIMSOLL_UNITY_FILES)
        break()
      endif()
      math(EXPR group "${group} + 1")
    endwhile()
    if(group EQUAL groups)
      math(EXPR groups "${groups} + 1")
      set(files_in_${group} 0)
    endif()
    math(EXPR files_in_${group} "${files_in_${group}} + 1")
    list(APPEND names_of_${group} ${names})
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
