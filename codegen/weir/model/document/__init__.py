"""The project file: read strictly, migrated, checked against its shape, expressions worked out."""
