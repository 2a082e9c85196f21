"""What every room may use and what knows nothing of agents: errors, canonical JSON, seeds, the clock, the plug-in catalogue.

Start with `errors`. Nothing of ours is imported here.
"""
