"""Reading of letters that strangers wrote: their form, their own words, who they are from, what is no person's. Pure.

A letter is read under limits (`limits.py`): one that is over any of them is not read in part. Markup is read by
`markup.py`, in the cage of `apps.extraction` alone.
"""
