"""Texts and files from strangers, made up by a fuzzer: whatever is read is read, or refused in one sentence."""
