"""`assent diagnostics`: what somebody who helps needs to know, with nothing in it that is nobody's business."""
