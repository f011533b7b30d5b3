PANEL = "instances"
PANEL_DASHBOARD = "infrastructure"
PANEL_GROUP = "default"
ADD_PANEL = "tripleo_ui.panels.instances.panel.Instances"
