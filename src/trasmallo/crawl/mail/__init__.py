"""Mailboxes of this machine and of IMAP servers: which messages they hold, without a change to any of them."""
