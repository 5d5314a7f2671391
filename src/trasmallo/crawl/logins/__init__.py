"""The user's own log-ins for private sites: kept outside of the project, sent to their hosts alone."""
