"""Files of this machine as documents: what the walk through folders and mailboxes tells of each."""
