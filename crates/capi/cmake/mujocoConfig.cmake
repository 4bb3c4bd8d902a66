# `find_package(mujoco)`: the target mujoco::mujoco, which is Kinetree under the names of MuJoCo 3.8.0.
#
# The headers are MuJoCo's own. They are looked for beside this installation, in the variable or environment variable MUJOCO_INCLUDE, and where
# CMake looks for headers; set mujoco_INCLUDE_DIR to choose others.

get_filename_component(_mujoco_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

find_library(mujoco_LIBRARY NAMES mujoco
  PATHS "${_mujoco_prefix}/lib" "${_mujoco_prefix}/lib64" PATH_SUFFIXES "${CMAKE_LIBRARY_ARCHITECTURE}" NO_DEFAULT_PATH)
find_path(mujoco_INCLUDE_DIR mujoco/mujoco.h HINTS "${_mujoco_prefix}/include" "${MUJOCO_INCLUDE}" ENV MUJOCO_INCLUDE)
mark_as_advanced(mujoco_LIBRARY mujoco_INCLUDE_DIR)

set(mujoco_FOUND FALSE)
if(NOT mujoco_LIBRARY)
  set(mujoco_NOT_FOUND_MESSAGE "there is no libmujoco in ${_mujoco_prefix}: install it again")
elseif(NOT mujoco_INCLUDE_DIR)
  set(mujoco_NOT_FOUND_MESSAGE
    "the headers of MuJoCo 3.8.0 were not found: set MUJOCO_INCLUDE to the folder that has mujoco/mujoco.h")
else()
  file(STRINGS "${mujoco_INCLUDE_DIR}/mujoco/mujoco.h" _mujoco_version REGEX "^#define mjVERSION_HEADER ")
  if(_mujoco_version MATCHES " (3008000|380)$")
    set(mujoco_FOUND TRUE)
  else()
    set(mujoco_NOT_FOUND_MESSAGE
      "the headers in ${mujoco_INCLUDE_DIR} are of another version than 3.8.0 (${_mujoco_version}), and so have other structs")
  endif()
endif()

if(mujoco_FOUND AND NOT TARGET mujoco::mujoco)
  add_library(mujoco::mujoco SHARED IMPORTED)
  set_target_properties(mujoco::mujoco PROPERTIES
    IMPORTED_LOCATION "${mujoco_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${mujoco_INCLUDE_DIR}")
endif()
