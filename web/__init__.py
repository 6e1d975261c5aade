"""The table as a static web page: the same Python, kernels compiled to WebAssembly. See docs/table.md."""
