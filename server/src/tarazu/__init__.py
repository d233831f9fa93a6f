"""Tarazu: the back office of a SEBI-registered Research Analyst."""
