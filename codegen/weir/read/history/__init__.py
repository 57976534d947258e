"""One metric over commits or days: `series` has the values, `change_points` says where they change, `answer` tells it.
"""
