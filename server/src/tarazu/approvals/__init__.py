"""Approvals: what one member of staff asks for and a second administrator decides."""
