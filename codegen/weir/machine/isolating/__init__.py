"""CPUs for one program alone, for as long as it runs: what is changed for that on the machine, and put back."""
