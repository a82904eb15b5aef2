"""Rules of the settings: which calls they deny, ask for or allow. Pure; `book` is the way in."""
