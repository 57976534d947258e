# What is compiled with a precompiled header is kept by ccache only where it is told that it may be: without this it
# compiles all of it each time. Both words are about macros that no source of Weir looks at (__TIME__, and macros of the
# command line that the header was not compiled with, which the compiler itself refuses).
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "(^|/)ccache$")
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
