"""The name that a project's memories are kept under, in SQL. Import-light: hooks and the store ask the same."""

CANONICAL = """
SELECT stands_for FROM aliases WHERE project = ?1 UNION ALL
SELECT project FROM checkouts WHERE project = ?1 UNION ALL
SELECT project FROM memories WHERE project = ?1 LIMIT 1
"""
COMMITS = "SELECT commit_id, is_root FROM project_commits WHERE project = ? ORDER BY seen DESC"
