"""Says why: how a bid adds up, the reason for a hint, and a grade for every decision of a finished hand."""
