"""Commands that the gate lets run, really run: did they do nothing beyond what was read in them?"""
