"""Searching for good deployments: `space` is what there is to choose from, `search` what is measured when, `laboratory`
builds and runs it, `answer` says what came of it, and `written` puts the best into a copy of the project.
"""
