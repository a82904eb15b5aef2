"""What files were before a run wrote them: kept outside every workspace, shown, and put back as one."""
