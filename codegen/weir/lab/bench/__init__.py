"""Contenders measured side by side: `cells` what is compared, `contenders` by whom, `measure` the rounds, `rows` the
statistics.
"""
