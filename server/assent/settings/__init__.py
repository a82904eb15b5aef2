"""Settings: values by scope, what they come to, and how a click is stored. No file of a workspace loosens by itself.

`live.LiveSettings`     the one object that a server makes: `client_settings(blocks)`, `now()`, `awaiting()`, `state`
`effective.Effective`   mode and agent of new chats, agents, `bypass(name)`, rules, switches, what waits, diagnostics
`declared`, `judging`   every setting that is read, with what it risks; `check(key, value)` by that
`loosening`             the smallest things to agree to, what each is bound to, and in words what it would permit
`entries`               everything in one layer that would loosen something, and what appeared between two
`store`                 `change_for(grant)`, `begin_store`, `finish_store`: a click into settings and consent ledger
`consent.ConsentLedger` what the user agreed to and refused on this machine, for which folder
`taken_back`            which of that still stands: a yes ends with the entry that it was for
`hooks`                 programs around calls: which of them count, and what it is to agree to one
`gathering`, `facts`    what the disk says about settings: where directories lead, which files a definition names
`named_paths`, `named_files`  which files that may be, and what they hold; `launch_folder`: where its program works
`layers.layers_from`    the client's blocks and the workspace's file as values with their scope, file and line
`repeated`              of a setting that stands there twice, the reading that restricts most
`inspection.inspect`    what an editor shows beside the settings, and nothing decides by
`files.patch_file`      one entry of a settings file, under a lock, atomically
`reading.SettingsFile`  a settings file read safely, anew when it changed
`jsonc`, `jsonc_edit`   JSON with comments: `parse`, `set_entry`, `remove_entry`

Nothing here is asynchronous. Reading takes microseconds. What writes (`begin_store`, `finish_store`, `patch_file`, the
ledger, `LiveSettings.record`, and `now` where something was taken back) takes milliseconds, and up to three seconds
where another window holds the lock: a caller that must not wait may do it in a thread of its own.
"""
