"""Boards: other machines on which Weir measures. OpenSSH reaches them; keys and host checking are its own."""
