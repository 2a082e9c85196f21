"""Small suites for tests, written into a folder of the test."""
