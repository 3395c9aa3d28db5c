"""Reading and printing MLIR text without losing anything."""
