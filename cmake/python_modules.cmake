# weir_require_python_modules(MODULE...): stops with the package to install when Python3_EXECUTABLE lacks one.
function(weir_require_python_modules)
  foreach(module IN LISTS ARGN)
    execute_process(COMMAND ${Python3_EXECUTABLE} -c "import ${module}" RESULT_VARIABLE missing ERROR_QUIET)
    if(missing)
      message(FATAL_ERROR "${Python3_EXECUTABLE} has no module ${module}; on Debian: apt-get install python3-${module}")
    endif()
  endforeach()
endfunction()
