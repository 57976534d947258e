// For functions of generated sources that run once, and are as long as the flowgraph is large: `WEIR_SET_UP Flowgraph() {}`.
#pragma once

// Not optimised, which would take compilers longer than all the blocks do and win nothing that is measured. What they call is
// compiled as everywhere.
#ifdef __clang__
#define WEIR_SET_UP [[gnu::cold, clang::optnone]]
#else
#define WEIR_SET_UP [[gnu::cold, gnu::optimize("O0")]]
#endif
