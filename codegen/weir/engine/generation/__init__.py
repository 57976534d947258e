"""From a plan to a project (Jinja2), and from it to a program; libraries for the targets that do it."""
