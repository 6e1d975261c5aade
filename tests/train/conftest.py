"""Runs draw no curves here, as each picture takes a second or two; test_training.py's are drawn before its tests."""

import sys

import pytest


@pytest.fixture(autouse=True)
def undrawn(monkeypatch):
    if trainer := sys.modules.get("spades_env.training.trainer"):
        monkeypatch.setattr(trainer, "draw_curves", lambda run: None)
