PANEL = "deployments"
PANEL_DASHBOARD = "infrastructure"
PANEL_GROUP = "default"
ADD_PANEL = "tripleo_ui.panels.deployments.panel.Deployments"
