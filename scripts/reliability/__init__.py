"""Checks of what a money product must stand: kills, power cuts, full disks, lost neighbours."""
