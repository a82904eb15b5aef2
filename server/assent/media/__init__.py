"""What files of pictures and sound are by their own bytes, and drawings without anything that acts. No I/O."""
