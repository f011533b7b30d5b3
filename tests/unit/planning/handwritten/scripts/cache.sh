#!/bin/sh
# : not YAML {[
echo "cache"
