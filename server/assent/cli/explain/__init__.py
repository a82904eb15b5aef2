"""`assent explain`: what the server would decide about calls that nobody makes, for a person or line by line.

`command`   one call, in words or as JSON
`batch`     many calls, one line of JSON each
`question`  what is asked: a call with the settings, the folder, the agent and the mode that it is thought with
`answering` asks the same app that the server runs on
`ladder`    each rung in words: what it looked for, and why it did not decide
`advice`    what the user can do about the answer, where, and with which risk
`places`    where a rule of a settings file stands

Nothing is written, no process is started, nothing goes over a network.
"""
