"""DuckDB over the files of a run: the connection, the views of its tables, questions, their answers, and files made of them."""
