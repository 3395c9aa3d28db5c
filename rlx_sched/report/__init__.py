"""Reports about a module: what the filter did to every kernel and why, as a page, a table, JSON or an explanation."""
