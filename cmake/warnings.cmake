# weir_warnings(TARGET): the warnings under which all C++ of Weir compiles. For clang++ -Wconversion includes
# -Wsign-conversion, which g++ leaves out, and `#pragma GCC ivdep` is unknown.
option(WEIR_WERROR "Treat warnings as errors" OFF)

function(weir_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wconversion
                         $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion -Wno-unknown-pragmas>
                         $<$<BOOL:${WEIR_WERROR}>:-Werror>)
endfunction()
