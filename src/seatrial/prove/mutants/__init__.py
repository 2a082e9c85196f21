"""Mutants: one way to spoil a path a file, the file's name is the name of the kind.

A module has `mutants(subject)`, which yields `Mutant`s in a fixed order: the same subject gives the same ones.
"""
