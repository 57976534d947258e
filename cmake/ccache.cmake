# ccache needs these settings to cache sources with a precompiled header. Both are safe: no source of Weir uses
# __TIME__, and the compiler itself refuses a header that was compiled with other command-line macros.
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "(^|/)ccache$")
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
