"""Speed and memory beside the field's evaluators: `python3 course.py bench`."""
