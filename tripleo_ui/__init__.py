"""Plan, deploy and operate OpenStack clouds from Horizon."""
