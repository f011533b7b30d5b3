"""What happens by itself in a cluster: children appear, workloads become ready, what lost its owner goes."""
