"""One module a kind of contender, each with a list `CONTENDERS`."""
