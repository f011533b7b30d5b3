"""Catalog items: templates read, processed and checked, and the dialogs that ask for their parameters.

Pure values: no Django, no HTTP, no settings.
"""
