"""SQL for a project's canonical name and its commits, shared by the store and the reader. Import-light."""

CANONICAL = """
SELECT stands_for FROM aliases WHERE project = ?1 UNION ALL
SELECT project FROM checkouts WHERE project = ?1 UNION ALL
SELECT project FROM memories WHERE project = ?1 LIMIT 1
"""
COMMITS = "SELECT commit_id, is_root FROM project_commits WHERE project = ? ORDER BY seen DESC"
