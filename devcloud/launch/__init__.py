"""One launcher per service: ``python -m devcloud.launch.heat`` runs all of Heat in one process, without forking."""
