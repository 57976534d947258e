# weir_warnings(TARGET): sets the warnings for all C++ of Weir. clang++ does not know `#pragma GCC ivdep`, and its
# -Wconversion includes -Wsign-conversion, unlike that of g++.
option(WEIR_WERROR "Treat warnings as errors" OFF)

function(weir_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wconversion
                         $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion -Wno-unknown-pragmas>
                         $<$<BOOL:${WEIR_WERROR}>:-Werror>)
endfunction()
