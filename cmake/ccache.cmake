# ccache caches sources with a precompiled header only with these settings. Both concern macros that no source of Weir
# uses (__TIME__, and command-line macros that the header was not compiled with, which the compiler itself refuses).
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "(^|/)ccache$")
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
