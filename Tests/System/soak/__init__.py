"""A long run of the whole site with members, faults and restarts, and the rules that judge what happened."""
