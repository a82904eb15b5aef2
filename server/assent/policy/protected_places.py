"""The closed lists of protected places and names, and of secrets: data, with a reason for each.

All are written as they are compared: without case. One `*` in a name stands for anything. What is on no list is not
protected, on purpose: workflows of a build service act only after a push, and elsewhere; sources, tests, make files and
installed packages run when somebody runs them, and that is asked for by itself.
"""

Names = tuple[str, ...]
Reasons = tuple[tuple[Names, str], ...]

TOP = "/"
"""As the first name of a place: it counts only at the top of the file system."""

_EDITOR = "an editor takes settings, tasks or programs to start from there"
_EXTENSIONS = "an editor keeps the extensions that it runs there"
_AGENT = "it holds an agent's settings, hooks, permissions or instructions"
_GIT_RUNS = "git runs what lies there"
_SHELL = "a shell runs it at every start"
_DESKTOP = "the desktop starts what it finds there"
_SCHEDULE = "the system runs what it names at times"
_SERVICE = "the system starts what it names by itself"
_KEYS = "it holds keys or passwords"
_LOGIN = "it says who may log in"
_FETCH = "it says from where code is fetched, or which program runs then"
_ENTER = "it is run when someone enters the folder"
_CONTAINER = "it says what runs when the environment is made"
_PYTHON = "Python runs it at every start"

PLACES: Reasons = (
    # Editors
    ((".vscode",), "it holds settings, tasks and launch definitions that the editor acts on"),
    ((".assent",), "it holds definitions that Assent acts on"),
    *(((name,), _EDITOR) for name in (".idea", ".run", ".fleet", ".theia", ".zed", ".nova", ".vs")),
    *(((name,), _EDITOR) for name in (".vim", ".emacs.d", ".doom.d")),
    *(((".config", name), _EDITOR) for name in ("nvim", "vim", "emacs", "doom", "helix", "micro", "kate")),
    *(
        ((folder, name), _EDITOR)
        for folder in (".config", "application support", "roaming")
        for name in ("code", "code - insiders", "code - oss", "vscodium", "cursor", "windsurf", "zed", "jetbrains")
    ),
    *(
        ((name,), _EXTENSIONS)
        for name in (".vscode-server", ".vscode-server-insiders", ".vscode-oss", ".vscode-remote")
    ),
    *(((name,), _EXTENSIONS) for name in (".vscode-insiders", ".vscodium-server", ".cursor-server")),
    *(((name,), _EXTENSIONS) for name in (".windsurf-server", ".theia-ide")),
    (("ruby_lsp", "*", "addon*"), "an editor's language server loads it by itself"),
    # Environments that are made from a definition
    *(((name,), _CONTAINER) for name in (".devcontainer", ".gitpod", ".idx", ".codesandbox", ".replit")),
    # Git, other version control and what they run
    # Settings and hooks of submodules and worktrees lie there at any depth, and files that point to others.
    ((".git",), "git's own files say which settings, hooks and filters git uses"),
    *(
        (("*.git", name), "a bare repository's settings and hooks name programs that git runs")
        for name in ("hooks", "config")
    ),
    ((".config", "git"), "git's settings can name programs that git runs"),
    *(((name,), _GIT_RUNS) for name in (".husky", ".githooks", ".git-hooks", ".lefthook", ".lefthook-local")),
    *(((name,), "version control takes settings and hooks from there") for name in (".hg", ".svn", ".jj", ".bzr")),
    ((".config", "jj"), "version control takes settings from there"),
    # Agents
    *(
        ((name,), _AGENT)
        for name in (
            *(".agent", ".agents", ".aider", ".amazonq", ".amp", ".augment", ".claude", ".clinerules", ".cline"),
            *(".codex", ".continue", ".copilot", ".crush", ".cursor", ".factory", ".gemini", ".goose", ".junie"),
            *(".kilocode", ".kiro", ".openclaw", ".opencode", ".openhands", ".qoder", ".qwen", ".roo"),
            *(".roorules", ".rovodev", ".trae", ".warp", ".windsurf", ".zencoder"),
        )
    ),
    *(
        ((".github", name), _AGENT)
        for name in ("agents", "chatmodes", "copilot", "hooks", "instructions", "prompts", "skills")
    ),
    *(((".config", name), _AGENT) for name in ("claude", "codex", "crush", "gemini", "github-copilot", "goose")),
    *(((".config", name), _AGENT) for name in ("amp", "mcp", "opencode", "agents")),
    *(((folder, "claude"), _AGENT) for folder in ("application support", "roaming")),
    # Shells
    *(((".config", name), _SHELL) for name in ("fish", "nushell", "powershell", "zsh", "bash", "xonsh", "elvish")),
    *(((name,), _SHELL) for name in (".oh-my-zsh", ".zsh", ".bash_it", ".bashrc.d", ".zshrc.d", ".profile.d")),
    *((("documents", name), _SHELL) for name in ("powershell", "windowspowershell")),
    # What starts by itself
    ((".config", "autostart"), _DESKTOP),
    ((".config", "autostart-scripts"), _DESKTOP),
    ((".config", "plasma-workspace"), _DESKTOP),
    *(
        ((".config", name), _DESKTOP)
        for name in ("awesome", "bspwm", "hypr", "i3", "openbox", "qtile", "sway", "xmonad")
    ),
    ((".local", "share", "applications"), _DESKTOP),
    ((".local", "share", "dbus-1"), _DESKTOP),
    ((".config", "mimeapps.list"), _DESKTOP),
    ((".kde",), _DESKTOP),
    (("desktop", "*.desktop"), _DESKTOP),
    (("start menu", "programs", "startup"), _DESKTOP),
    ((".config", "systemd"), _SERVICE),
    ((".local", "share", "systemd"), _SERVICE),
    ((".config", "environment.d"), "every program of the session gets the variables that it sets"),
    (("library", "launchagents"), _SERVICE),
    (("library", "launchdaemons"), _SERVICE),
    (("library", "startupitems"), _SERVICE),
    (("library", "application scripts"), _SERVICE),
    ((".hammerspoon",), _DESKTOP),
    ((".local", "bin"), "programs there are found under their bare names"),
    # The system's own
    *(((TOP, "etc", name), _SCHEDULE) for name in ("cron*", "anacrontab", "at.*")),
    ((TOP, "var", "spool", "cron"), _SCHEDULE),
    ((TOP, "var", "spool", "at"), _SCHEDULE),
    *(
        ((TOP, *folder, "systemd"), _SERVICE)
        for folder in (("etc",), ("lib",), ("usr", "lib"), ("usr", "local", "lib"))
    ),
    *(
        ((TOP, "etc", name), _SERVICE)
        for name in ("init.d", "rc*", "inittab", "xinetd.d", "udev", "xdg", "x11", "dbus-1")
    ),
    *(((TOP, "etc", name), _SHELL) for name in ("profile*", "bash*", "zsh*", "csh*", "fish", "environment", "skel")),
    *(((TOP, "etc", name), _LOGIN) for name in ("passwd*", "shadow*", "group*", "gshadow*", "sudoers*", "pam*", "ssh")),
    *(((TOP, "etc", name), "every program loads what it names") for name in ("ld.so*", "nsswitch.conf")),
    *(((TOP, "etc", name), _FETCH) for name in ("apt", "yum*", "dnf", "pip.conf", "gitconfig")),
    ((TOP, "boot"), "the system starts from there"),
    (("windows", "system32"), "Windows starts programs from there"),
    # Tools that fetch and run code
    ((".config", "pip"), _FETCH),
    ((".pip",), _FETCH),
    ((".config", "uv"), _FETCH),
    ((".cargo", "config*"), "it can name programs that cargo runs"),
    ((".cargo", "credentials*"), _KEYS),
    ((".cargo", "bin"), "programs there are found under their bare names"),
    ((".yarn",), "yarn runs the releases and plug-ins that lie there"),
    ((".bundle",), _FETCH),
    ((".composer",), _FETCH),
    ((".config", "composer"), _FETCH),
    ((".gradle", "init.d"), "gradle runs what lies there with every build"),
    ((".mvn",), "maven takes extensions and options from there"),
    ((".m2", "settings*.xml"), _KEYS),
    ((".gem",), _KEYS),
    ((".terraform.d",), _KEYS),
    ((".config", "direnv"), _ENTER),
    ((".config", "mise"), _ENTER),
    ((".mise",), _ENTER),
    ((".asdf",), _ENTER),
    ((".shadowenv.d",), _ENTER),
    ((".config", "tmux"), "the terminal runs what it names"),
    ((".config", "kitty"), "the terminal runs what it names"),
    ((".config", "alacritty"), "the terminal runs what it names"),
    ((".config", "wezterm"), "the terminal runs what it names"),
    (("site-packages", "*.pth"), _PYTHON),
    (("dist-packages", "*.pth"), _PYTHON),
    ((".ipython",), _PYTHON),
    ((".jupyter",), "a notebook runs it at every start"),
    # Keys
    ((".ssh",), "it holds keys and says who may log in"),
    *(((name,), _KEYS) for name in (".gnupg", ".aws", ".azure", ".kube", ".docker", ".oci", ".password-store")),
    *(((".config", name), _KEYS) for name in ("gcloud", "gh", "glab-cli", "hub", "op", "rclone", "sops", "doctl")),
    ((".local", "share", "keyrings"), _KEYS),
    (("library", "keychains"), _KEYS),
)
"""Names in order, wherever they stand; all that lies below is meant too."""

FILES: tuple[tuple[str, str], ...] = (
    # Editors
    ("settings.json", "an editor or an agent may take its settings from there"),
    ("tasks.json", "an editor may run the tasks that it defines"),
    ("launch.json", "an editor may start the programs that it names"),
    ("keybindings.json", "it says what keys make an editor do"),
    ("*.code-workspace", "it holds settings that the editor acts on"),
    ("*.code-profile", "it holds settings that the editor acts on"),
    *((f"*.sublime-{kind}", _EDITOR) for kind in ("project", "workspace", "build", "settings", "keymap")),
    *((name, "an editor runs it when it starts") for name in (".vimrc", "_vimrc", ".gvimrc", "_gvimrc", ".nvimrc")),
    *((name, "an editor runs it when it starts") for name in (".exrc", "_exrc", ".nvim.lua", ".emacs", ".lvimrc")),
    *(
        (name, "an editor runs code that it holds")
        for name in (".dir-locals.el", ".dir-locals-2.el", ".vimspector.json")
    ),
    # Environments that are made from a definition
    *((name, _CONTAINER) for name in (".devcontainer.json", ".gitpod.yml", ".gitpod.yaml", ".gitpod.dockerfile")),
    *((name, _CONTAINER) for name in (".replit", "replit.nix", ".stackblitzrc")),
    # Git
    (".gitmodules", "it says from where git fetches code"),
    (".gitconfig", "git's settings can name programs that git runs"),
    (".gitattributes", "it can make git run filter programs"),
    (".lfsconfig", "it says from where git fetches files"),
    (".git-credentials", "it holds passwords"),
    *((f".pre-commit-{kind}", _GIT_RUNS) for kind in ("config.yaml", "config.yml", "hooks.yaml", "hooks.yml")),
    *(
        (f"{dot}lefthook{local}.{ending}", _GIT_RUNS)
        for dot in ("", ".")
        for local in ("", "-local")
        for ending in ("yml", "yaml", "toml", "json", "jsonc")
    ),
    *((name, _GIT_RUNS) for name in (".overcommit.yml", ".huskyrc*", ".lintstagedrc*", "lint-staged.config.*")),
    *((name, _GIT_RUNS) for name in (".simple-git-hooks.*", "simple-git-hooks.*")),
    (".hgrc", "version control takes settings and hooks from there"),
    # Agents
    *((name, "it names programs that agents start") for name in (".mcp.json", "mcp.json", "mcp_config.json")),
    *((name, "it names programs that agents start") for name in ("claude_desktop_config.json", "mcp_settings.json")),
    *((name, "agents take it as instructions") for name in ("agents.md", "agents.override.md", "agents.local.md")),
    *((name, "agents take it as instructions") for name in ("agent.md", "claude.md", "claude.local.md", "gemini.md")),
    *((name, "agents take it as instructions") for name in ("qwen.md", "warp.md", "crush.md", "skill.md")),
    *((name, "agents take it as instructions") for name in ("copilot-instructions.md", ".rules", ".cursorrules")),
    *(
        (name, "agents take it as instructions")
        for name in (".clinerules*", ".windsurfrules", ".roorules*", ".goosehints")
    ),
    *((f"*.{kind}.md", "agents take it as instructions") for kind in ("instructions", "prompt", "chatmode", "agent")),
    ("*.mdc", "agents take it as instructions"),
    (".augment-guidelines", "agents take it as instructions"),
    (".roomodes", _AGENT),
    *((name, _AGENT) for name in (".claude.json", ".aider*", "opencode.json", "opencode.jsonc", "crush.json")),
    *((name, _AGENT) for name in (".crush.json", ".openclaw.json", ".codexrc", "gemini-extension.json")),
    # Shells
    (".envrc", "the shell runs it when someone enters the folder"),
    (".bashrc", _SHELL),
    (".bash_aliases", _SHELL),
    (".bash_functions", _SHELL),
    *((name, "the shell runs it at every login") for name in (".bash_profile", ".bash_login", ".profile", ".zprofile")),
    *((name, "the shell runs it at every login") for name in (".zlogin", ".login", ".pam_environment")),
    *((name, "the shell runs it at every logout") for name in (".bash_logout", ".zlogout", ".logout")),
    *((name, _SHELL) for name in (".zshrc", ".zshenv", ".kshrc", ".mkshrc", ".cshrc", ".tcshrc", ".xonshrc", ".shrc")),
    *((name, _SHELL) for name in ("config.fish", "config.nu", "env.nu", ".zsh_aliases", ".aliases")),
    *((name, _SHELL) for name in ("profile.ps1", "*_profile.ps1", "*.psrc")),
    (".inputrc", "it changes what keys do in the shell"),
    *((name, _ENTER) for name in (".autoenv*", ".rvmrc", "mise.toml", "mise.*.toml", ".mise.toml", ".mise.*.toml")),
    *((name, _ENTER) for name in (".tool-versions", ".asdfrc", ".rtx.toml")),
    # Sessions and terminals
    *((name, _DESKTOP) for name in (".xinitrc", ".xsession", ".xsessionrc", ".xprofile", ".xserverrc", ".dmrc")),
    *((name, _DESKTOP) for name in (".xresources", ".xdefaults", ".wayland-session")),
    *((name, "the terminal runs what it names") for name in (".tmux.conf", ".screenrc", ".wezterm.lua")),
    ("crontab", _SCHEDULE),
    # Programs that run what their settings say
    (".ripgreprc", "it can make a search run a program"),
    *((name, "a debugger runs the commands in it") for name in (".gdbinit", ".lldbinit", ".pdbrc", ".pdbrc.py")),
    *((name, "a pager or a download takes its options from there") for name in (".lessfilter", ".lesskey")),
    *((name, "a pager or a download takes its options from there") for name in (".curlrc", "_curlrc", ".wgetrc")),
    *((name, "a database program runs the commands in it") for name in (".psqlrc", ".sqliterc", ".mongorc.js")),
    *((name, "a database program runs the commands in it") for name in (".mongoshrc.js", ".duckdbrc")),
    *((name, "an interpreter runs it at every start") for name in (".irbrc", ".pryrc", ".rprofile", ".renviron")),
    *(
        (name, "an interpreter runs it at every start")
        for name in (".pythonrc", ".pythonrc.py", ".pythonstartup", ".iex.exs")
    ),
    *((name, _PYTHON) for name in ("sitecustomize.py", "usercustomize.py")),
    # Packages and builds: what is fetched, and what runs by itself with it
    (".npmrc", "it holds tokens and says from where code is fetched"),
    *((name, _FETCH) for name in (".yarnrc", ".yarnrc.yml", ".pnpmrc", ".pnpmfile.*", "pnpm-workspace.yaml")),
    *((name, _FETCH) for name in ("bunfig.toml", ".bunfig.toml", "pip.conf", "pip.ini", "uv.toml", ".condarc")),
    *((name, _FETCH) for name in (".gemrc", "nuget.config", ".bazelrc", "user.bazelrc", ".buckconfig", ".terraformrc")),
    *((name, _FETCH) for name in ("terraform.rc", "gradle.properties", "gradle-wrapper.properties")),
    *((name, "ansible loads the plug-ins that it names") for name in ("ansible.cfg", ".ansible.cfg")),
    *((name, "installing or building the project runs what it names") for name in ("package.json", "cargo.toml")),
    *(
        (name, "installing or building the project runs what it names")
        for name in ("build.rs", "*.gradle", "*.gradle.kts")
    ),
    *((f"*.{kind}proj", "building the project runs what it names") for kind in ("", "cs", "fs", "vb", "vcx", "sql")),
    *((f"*.{kind}", "building the project runs what it names") for kind in ("props", "targets")),
    *((name, "a web server takes its settings from there") for name in ("server.xml", "web.config", ".htaccess")),
    *(
        (name, "it says which code is fetched, and its hashes")
        for name in ("*.lock", "*-lock.json", "*-lock.yaml", "bun.lockb")
    ),
    # Keys
    (".env*", "it holds secrets"),
    ("*.env", "it holds secrets"),
    *((name, "it holds passwords") for name in (".netrc", "_netrc", ".pgpass", ".my.cnf", ".mylogin.cnf", ".htpasswd")),
    *((name, "it holds tokens") for name in (".pypirc", ".vault-token", ".dockercfg", ".boto", ".s3cfg")),
    *((f"id_{kind}*", "it is a private key") for kind in ("rsa", "dsa", "ecdsa", "ed25519", "xmss")),
    *(
        (f"*.{kind}", "it may hold a private key")
        for kind in ("pem", "key", "p12", "pfx", "p8", "ppk", "jks", "keystore")
    ),
    *((f"*.{kind}", "it holds keys or passwords") for kind in ("kdbx", "keytab")),
    *((name, _LOGIN) for name in ("authorized_keys", "authorized_keys2", ".rhosts", ".shosts", ".k5login")),
)
"""Names of files, wherever they stand."""

OF_GRADLE, TURNS_OF_GRADLE = ".gradle", ".lock"
"""The folder in which Gradle keeps what it has built, and how the names of files in it end by which builds take turns.
Patterns for scripts and for lists of versions fit these, and every build writes them."""

HOME_FOLDERS = (".*", "library", "appdata")
"""Below the home directory: where programs keep what they act on."""

SECRET_PLACES: tuple[Names, ...] = (
    *((name,) for name in (".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".oci", ".password-store")),
    *((".config", name) for name in ("gcloud", "gh", "glab-cli", "hub", "op", "rclone", "sops", "doctl")),
    *((".config", name) for name in ("google-chrome", "chromium", "bravesoftware", "microsoft-edge")),
    *(("application support", name) for name in ("google", "firefox", "bravesoftware")),
    (".mozilla",),
    (".thunderbird",),
    (".local", "share", "keyrings"),
    ("library", "keychains"),
    (".cargo", "credentials*"),
    (".gem", "credentials"),
    (".terraform.d", "credentials*"),
    (".m2", "settings*.xml"),
    ("/", "etc", "shadow*"),
    ("/", "etc", "gshadow*"),
    ("/", "etc", "sudoers*"),
    ("/", "etc", "ssh", "*_key"),
)
"""Reading what lies there is as grave as sending it somewhere."""

SECRET_FILES: Names = (
    *(".env*", "*.env", "id_*", "credentials", ".git-credentials"),
    *(".netrc", "_netrc", ".pypirc", ".npmrc", ".yarnrc.yml", ".pgpass", ".my.cnf", ".mylogin.cnf", ".htpasswd"),
    *(".vault-token", ".dockercfg", ".boto", ".s3cfg", ".terraformrc", ".claude.json"),
    *("*.pem", "*.key", "*.p12", "*.pfx", "*.p8", "*.ppk", "*.jks", "*.keystore", "*.kdbx", "*.keytab"),
    *(".bash_history", ".zsh_history", ".python_history", ".node_repl_history", ".psql_history", ".mysql_history"),
)
"""Names of files of the same kind, wherever they stand."""
