"""Cloud services, elements, roles, and plans to and from HOT: no Django, no HTTP."""
