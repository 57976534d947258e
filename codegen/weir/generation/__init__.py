"""From a plan to C++ (Jinja2), and from C++ to a binary (CMake)."""
