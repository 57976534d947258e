"""Contenders measured side by side: `cells` what is compared, `measure` the processes, `rows` the statistics."""
