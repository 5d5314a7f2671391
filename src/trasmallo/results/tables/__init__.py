"""Result tables, a file a family: `TABLES` of each module is a tuple of `registry.Table`; `plugins` finds the modules."""
