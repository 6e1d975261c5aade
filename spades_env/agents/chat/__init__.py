"""Language models as agents, behind an HTTP endpoint of the form that OpenAI has made usual."""
