# Fails if an include or import violates the dependency order of docs/architecture.md.
#   cmake [-DROOT=tree] -P check_layering.cmake
cmake_minimum_required(VERSION 3.25)
if(NOT DEFINED ROOT)
  get_filename_component(ROOT "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
endif()
set(wrong "")

# forbid(WHAT <why> IN <globs> [EXCEPT <path regex>] LINES <regex>): no line of these files may match.
function(forbid)
  cmake_parse_arguments(rule "" "WHAT;EXCEPT;LINES" "IN" ${ARGN})
  list(TRANSFORM rule_IN PREPEND "${ROOT}/")
  file(GLOB_RECURSE files RELATIVE "${ROOT}" ${rule_IN})
  foreach(file IN LISTS files)
    if(rule_EXCEPT AND file MATCHES "${rule_EXCEPT}")
      continue()
    endif()
    file(STRINGS "${ROOT}/${file}" lines REGEX "${rule_LINES}")
    foreach(line IN LISTS lines)
      string(APPEND wrong "\n  ${file}: ${line}   (${rule_WHAT})")
    endforeach()
  endforeach()
  set(wrong "${wrong}" PARENT_SCOPE)
endfunction()

set(include "^[ \t]*#[ \t]*include[ \t]*[<\"]")
set(import "^[ \t]*(import|from)[ \t]+")

forbid(WHAT "the runtime knows no block, no VOLK, no Qt and no JSON library"
       IN runtime/*.hpp runtime/*.cpp EXCEPT "^runtime/(tests/|include/weir/volk[a-z_]*\\.hpp$)"
       LINES "${include}([./]*block-library/|weir/(blocks/|volk)|volk|Q[A-Za-z]|nlohmann/)")
forbid(WHAT "only the trace facade knows LTTng"
       IN runtime/*.hpp runtime/*.cpp block-library/*.hpp block-library/*.cpp templates/*.j2
       EXCEPT "^runtime/(src|include/weir)/[a-z_]*(trace|lttng)[a-z_]*\\.(hpp|cpp)$"
       LINES "${include}lttng")
forbid(WHAT "a block knows weir/block.hpp and helpers that know no scheduler"
       IN block-library/*.hpp EXCEPT "^block-library/tests/"
       LINES "${include}([./]*schedulers/|weir/(app|buffer|memory|node|plan|ring|run|scheduler|schedulers/|stream|task|thread|trace|waker|worker)|Q[A-Za-z]|nlohmann/)")
forbid(WHAT "the editor uses the project file and the command, no C++ of the runtime or the blocks"
       IN editor/*.h editor/*.hpp editor/*.cpp
       LINES "${include}([./]*(runtime|block-library)/|weir/|volk|lttng)")
forbid(WHAT "codegen reads descriptors; it neither parses C++ nor draws windows"
       IN codegen/weir/*.py
       LINES "${import}(clang|pycparser|CppHeaderParser|PyQt|PySide|tkinter|gnuradio)")
# Check the order of codegen's modules and of the editor's folders, and cycles among them, which a grep cannot find.
foreach(check check_imports check_includes)
  execute_process(COMMAND /usr/bin/python3 -B "${CMAKE_CURRENT_LIST_DIR}/${check}.py" "${ROOT}"
                  RESULT_VARIABLE code ERROR_VARIABLE said)
  if(NOT code EQUAL 0)
    string(APPEND wrong "\n${said}")
  endif()
endforeach()

if(wrong)
  message(FATAL_ERROR "dependencies against the order of the layers:${wrong}")
endif()
message(STATUS "layering: every include and import follows the order of the layers")
