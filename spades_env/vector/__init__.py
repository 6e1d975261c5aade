"""Thousands of tables in lockstep: `SpadesVectorEnv`."""
