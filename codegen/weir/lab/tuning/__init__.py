"""Search for good deployments.

`space` makes the candidates, `search` schedules the measurements, and `laboratory` builds and runs candidates. `answer`
reports the result, and `written` puts the best into a copy of the project.
"""
