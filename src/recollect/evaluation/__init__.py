"""Measure recall and capture: data sets, rankings, baselines and measures."""
