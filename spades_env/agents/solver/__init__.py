"""Endings with all cards open, solved exactly."""
