"""What an editor shows in settings files while they are written: what is wrong, what a rule does, what fits here.

`drafts.look_at`   everything that is wrong with a text, saved or not, each thing where it stands
`places`           whose settings a file holds
`overlaps`         rules that change nothing

Nothing of it decides anything, and nothing here waits for anybody.
"""
