"""Says why: how a bid comes about, the reason for a hint, and a grade for every decision of a finished hand."""
