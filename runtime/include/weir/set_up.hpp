// Attribute for functions of generated sources that run once and grow with the flowgraph: `WEIR_SET_UP Flowgraph() {}`.
#pragma once

// Not optimised: optimising these functions would take longer than compiling all blocks, and would speed up nothing
// that is measured. The functions that they call are compiled normally.
#ifdef __clang__
#define WEIR_SET_UP [[gnu::cold, clang::optnone]]
#else
#define WEIR_SET_UP [[gnu::cold, gnu::optimize("O0")]]
#endif
