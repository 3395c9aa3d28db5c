"""The A/B harness that measures what threadgroup memory costs on the user's own GPU, and the fit of a calibration."""
