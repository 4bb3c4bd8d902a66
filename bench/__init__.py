"""Benchmarks against other engines."""
