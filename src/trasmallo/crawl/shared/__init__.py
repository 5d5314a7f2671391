"""A crawl that many machines share: its frontier, its settings and its rows are in a PostgreSQL database."""
