"""History of a metric over commits or days: `series` has the values, `change_points` finds changes, `answer` reports.
"""
