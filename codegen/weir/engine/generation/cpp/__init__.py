"""What every target that generates C++ needs: names, text, values, the compiler, and what it says."""
