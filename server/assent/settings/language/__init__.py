"""What an editor shows in settings files while they are written: what is wrong, what a rule does, what fits here.

`drafts.look_at`   everything that is wrong with a text, saved or not, each thing where it stands
`places`           whose settings a file holds
`overlaps`         rules that change nothing
`rule_lines`       all rules that there are, for a list of them
`where.locate`     what stands at a place of a text that may be half typed
`completing`       what fits there
`hovering`         what a rule, a setting or a name means, in the words of the cards
`lenses`           what stands above a bypass
`mending`          what can be done about what is underlined

Nothing of it decides anything, and nothing here waits for anybody.
"""
