"""Whether a user confirmed a specific change: what the agent listed, what the reply says, and what the call then did.

The rule `write_needs_confirmation` stands on this package. `scene` says what was said before a call, `reply` what a user's turn means,
`notice` what a message of the agent showed, `values` what a call carries, `facts` what tools had answered, `ruling` puts them together.
Words come from `lexicons/`, one file a language. Everything is pure, and linear in the length of what it reads.
"""
