PANEL = "requests"
PANEL_DASHBOARD = "infrastructure"
PANEL_GROUP = "default"
ADD_PANEL = "tripleo_ui.panels.requests.panel.Requests"
