"""Agents that are programs in any language: one process each, asked by lines of JSON."""
