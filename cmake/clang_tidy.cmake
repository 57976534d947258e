# Runs clang-tidy 19 over the runtime, with the checks of .clang-tidy. Fails if it finds anything.
#   cmake -DWORK=folder -P clang_tidy.cmake
cmake_minimum_required(VERSION 3.25)
get_filename_component(root "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)

# Check all sources as one file, because each spends most of its time in the same headers.
file(GLOB files ${root}/runtime/src/*.cpp ${root}/runtime/include/weir/*.hpp ${root}/runtime/schedulers/*/*.hpp
     ${root}/runtime/hosted/*.hpp)
list(TRANSFORM files REPLACE ".+" "#include \"\\0\"\n")
list(JOIN files "" joined)
file(WRITE ${WORK}/runtime.cpp "${joined}")

execute_process(COMMAND clang-tidy-19 --config-file=${root}/.clang-tidy --quiet ${WORK}/runtime.cpp --
                        -std=c++20 -I${root}/runtime -I${root}/runtime/include -I${root}/runtime/schedulers -I${root}/runtime/src
                RESULT_VARIABLE code OUTPUT_VARIABLE findings ERROR_VARIABLE said)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "${findings}${said}")
endif()
