# These tests run a program made by app_main and validate its files against the schema.
add_executable(fixture_app fixture_app.cpp)
target_link_libraries(fixture_app PRIVATE weir::runtime)
weir_warnings(fixture_app)
# With a sanitizer this program takes longest of all to optimise, and it mostly waits.
target_compile_options(fixture_app PRIVATE $<$<CONFIG:Debug>:-O0>)

# The distribution's Python has jsonschema and pytest; another one on PATH may not.
find_program(WEIR_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
set(parts app load ending)
if(NOT WEIR_FORCED_YIELDS) # runs alone for half a minute; the other tests cover its threads
  list(APPEND parts realtime_runs)
endif()
foreach(part IN LISTS parts)
  add_test(NAME runtime.${part}
           COMMAND ${WEIR_PYTHON} -m pytest -q -p no:cacheprovider ${CMAKE_CURRENT_SOURCE_DIR}/test_${part}.py)
  set_tests_properties(runtime.${part} PROPERTIES
    TIMEOUT 300 LABELS runtime COST 50 # they wait, so they start first, beside tests that compute
    ENVIRONMENT "WEIR_FIXTURE_APP=$<TARGET_FILE:fixture_app>;PYTHONDONTWRITEBYTECODE=1")
endforeach()
if(TEST runtime.realtime_runs) # other tests with a real-time policy would take its CPUs
  set_property(TEST runtime.realtime_runs PROPERTY RUN_SERIAL ON)
endif()
