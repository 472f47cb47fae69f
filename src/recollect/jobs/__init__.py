"""Due work: `job_table.JOBS` lists every job, `runner` runs those that are due, one module per job does the work."""
