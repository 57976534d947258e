"""A run done again from its run directory alone: what it asks for, who grants it, and what is not as it was."""
