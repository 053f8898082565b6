"""Programs and clients that the system tests start."""
