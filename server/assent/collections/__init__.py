"""Documents that can be asked: found below folders, cut into passages, kept in an index that follows every change."""
