# weir_warnings(TARGET): the warnings under which all C++ of Weir compiles.
option(WEIR_WERROR "Treat warnings as errors" OFF)

function(weir_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wconversion
                         $<$<BOOL:${WEIR_WERROR}>:-Werror>)
endfunction()
