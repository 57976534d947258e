"""One metric over commits or days: `series` are the values, `change_points` says where they change, `answer` tells it."""
