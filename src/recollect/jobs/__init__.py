"""Due work: one table of jobs that the worker runs."""
