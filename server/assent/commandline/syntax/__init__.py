"""The grammar of the shell: from text to a tree, or a reason why not."""
