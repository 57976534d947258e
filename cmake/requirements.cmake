# Stops with the name of the Debian package if something that the build needs is missing.

# weir_require_library(PKG_CONFIG_NAME PACKAGE)
function(weir_require_library name package)
  find_package(PkgConfig QUIET)
  if(NOT PKG_CONFIG_FOUND)
    message(FATAL_ERROR "pkg-config is not installed; on Debian: apt-get install pkgconf")
  endif()
  pkg_check_modules(WEIR_REQUIRED_${name} QUIET ${name})
  if(NOT WEIR_REQUIRED_${name}_FOUND)
    message(FATAL_ERROR "the library ${name} is not installed; on Debian: apt-get install ${package}")
  endif()
endfunction()

# weir_require_python_modules(MODULE...): checks for modules of Python3_EXECUTABLE
function(weir_require_python_modules)
  foreach(module IN LISTS ARGN)
    execute_process(COMMAND ${Python3_EXECUTABLE} -c "import ${module}" RESULT_VARIABLE missing ERROR_QUIET)
    if(missing)
      message(FATAL_ERROR "${Python3_EXECUTABLE} has no module ${module}; on Debian: apt-get install python3-${module}")
    endif()
  endforeach()
endfunction()
