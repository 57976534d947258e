"""The project file: read strictly, checked against its shape, expressions worked out."""
