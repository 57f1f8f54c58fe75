#!/bin/sh
# Stands for the browser of a server whose tests check no page: it answers `--version`, and ends at every other call.
[ "$1" = --version ]
