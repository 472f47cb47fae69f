"""Jobs that look after the plain-text log: merge old records, scan it, watch the limits, keep experiences."""
