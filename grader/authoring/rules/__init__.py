"""What a lab must be: rules, each one function whose docstring says what, why, and what to do."""
