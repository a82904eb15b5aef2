"""Settings: values by scope, what they come to, and how a click is stored. No file of a workspace loosens by itself.

`live.LiveSettings`     the one object that a server makes: `client_settings(blocks)`, `now() -> Effective`
`effective.Effective`   mode and agent of new chats, agents, `bypass(name)`, switches, diagnostics
`bypass`                `begin_bypass`, `finish_bypass`: a clicked bypass into settings and consent ledger
`consent.ConsentLedger` what the user agreed to on this machine, for which folder
`layers.layers_from`    the client's blocks and the workspace's file as values with their scope, file and line
`files.patch_file`      one entry of a settings file, under a lock, atomically
`reading.SettingsFile`  a settings file read safely, anew when it changed
`jsonc`, `jsonc_edit`   JSON with comments: `parse`, `set_entry`, `remove_entry`

Nothing here is asynchronous. Reading takes microseconds. What writes (`begin_bypass`, `finish_bypass`, `patch_file`,
`grant` and `revoke` of the ledger) takes milliseconds, and up to three seconds where another window holds the lock: a
caller that must not wait may do it in a thread of its own.
"""
