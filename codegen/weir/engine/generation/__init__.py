"""Generate a project from a plan with Jinja2 and build it; libraries for the targets that do this."""
