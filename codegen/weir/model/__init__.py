"""Projects, blocks and plans: everything that is requested, checked and decided before code is generated."""
