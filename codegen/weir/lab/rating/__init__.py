"""The rate that a deployment sustains: how much may be offered to it before too many items come too late."""
