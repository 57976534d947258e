// Attribute for functions of generated sources that run once and grow with the flowgraph: `WEIR_SET_UP Flowgraph() {}`.
#pragma once

// Not optimised: optimising them would take compilers longer than all blocks together and speed up nothing that is
// measured. The functions they call are compiled normally.
#ifdef __clang__
#define WEIR_SET_UP [[gnu::cold, clang::optnone]]
#else
#define WEIR_SET_UP [[gnu::cold, gnu::optimize("O0")]]
#endif
