"""What the system tests start, drive and look at."""
