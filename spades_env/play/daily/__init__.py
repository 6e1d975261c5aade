"""The daily deal: four hands that are the same for everybody on a day, beside the champion's own result."""
