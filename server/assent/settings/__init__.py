"""Values by scope, the bypass map, editing of JSON with comments, and consent records."""
