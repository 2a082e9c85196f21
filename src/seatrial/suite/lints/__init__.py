"""Rules that find what is weak in a suite that loads; each file is about one part of it."""
