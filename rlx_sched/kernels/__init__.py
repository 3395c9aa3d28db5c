"""Compute kernels generated from schedules: one model of the loop nest, printed as WGSL and as MSL.

Nothing here imports xDSL at import time, so the measuring harness runs without it.
"""
