DASHBOARD = "infrastructure"
ADD_INSTALLED_APPS = ["tripleo_ui"]
ADD_SCSS_FILES = ["tripleo_ui/scss/tripleo_ui.scss"]
