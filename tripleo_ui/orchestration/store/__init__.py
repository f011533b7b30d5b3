"""The one database of ours: requests, events, ledger, locks, jobs, drafts."""
