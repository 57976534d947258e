"""Projects, blocks and plans: what is asked for, checked and decided before anything is generated."""
