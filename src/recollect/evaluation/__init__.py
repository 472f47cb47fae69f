"""Measuring recall: data sets, rankings side by side, and what each of them finds."""
