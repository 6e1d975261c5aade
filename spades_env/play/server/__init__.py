"""`spades table`: the server of the page. See docs/protocol.md for what is said, docs/table.md for why."""
