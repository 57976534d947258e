"""Sustainable rate of a deployment: the highest load at which few enough items are late."""
