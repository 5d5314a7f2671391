"""Projects: the facade with its verbs, the project file, the workspace of a person and the timetable."""
