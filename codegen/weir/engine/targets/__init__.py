"""What a target is to the engines: its folder's Python, and what that is asked. They know no language."""
