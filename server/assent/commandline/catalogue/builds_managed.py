"""The builders of Java, .NET, Swift, Elixir and Dart projects."""

import re

from assent.commandline.catalogue.builds import assigned_in_operands
from assent.commandline.catalogue.shared import (
    all_of,
    arguments_from_files,
    leads_out,
    several,
    starts_operands_outside,
)
from assent.commandline.findings import Findings
from assent.commandline.given import Given
from assent.commandline.schema import Program, Reader, Use, options
from assent.model.modes import Category

_JVM = (
    "Runs what the project's settings and plugins say; other settings and places, and properties that are not known to "
    "be harmless, are dangers. A file of the project can load code into the machine under it, so no form only reads."
)
_PROPERTIES = re.compile(
    r"(skipTests|skipITs|maven\.test\.skip|test|it\.test|groups|failIfNoTests|surefire\.failIfNoSpecifiedTests|checkstyle\.skip|"
    r"maven\.javadoc\.skip|enforcer\.skip|spotbugs\.skip|jacoco\.skip|gpg\.skip|org\.gradle\.(daemon|parallel|caching|workers\.max)|"
    r"file\.encoding|user\.language|style\.color|revision|maven\.test\.failure\.ignore|DskipTests|quarkus\.profile)(=.*)?"
)
_MSBUILD = re.compile(
    r"(Configuration|Platform|Version|AssemblyVersion|VersionSuffix|TreatWarningsAsErrors|WarningLevel|DebugType|Deterministic|"
    r"PublishSingleFile|PublishTrimmed|PublishReadyToRun|SelfContained|UseAppHost|CollectCoverage|CoverletOutputFormat|Threshold|"
    r"ContinuousIntegrationBuild|InvariantGlobalization|NoWarn|RuntimeIdentifier|TargetFramework)=[\w.,;:%+-]*",
    re.IGNORECASE,
)


def _properties(*starts: str, harmless: re.Pattern[str]) -> Reader:
    """Words that set a property, in any of the ways in which they can begin."""

    def read(given: Given, findings: Findings) -> None:
        end = given.ended - 1 if given.ended is not None else len(given.words)
        for at in range(given.start, end):
            word = given.words[at]
            begin = next((one for one in starts if word.text.lower().startswith(one.lower())), None)
            if begin is None:
                continue
            setting = word.text[len(begin) :] or (given.words[at + 1].text if at + 1 < end else "")
            if not word.exact or not harmless.fullmatch(setting):
                findings.danger(f"sets a property that can change what it runs ({word.written or word.text})", at)

    return read


def _goals(given: Given, findings: Findings) -> None:
    """A goal with a colon is one of a plugin, which may be any."""
    for at in given.operands:
        if ":" in findings.words[at].text or not findings.words[at].exact:
            findings.danger(f"runs a plugin's goal ({findings.words[at].written or findings.words[at].text})", at)


def _unknown_words(given: Given, findings: Findings) -> None:
    """The value of a short option can stand in the same word."""
    for at in given.strange:
        word = findings.words[at]
        if not word.text.startswith(("-D", "-P", "-T", "--define")):
            findings.danger(f"has the option {word.written or word.text}, which is not known", at)


MVN = Program(
    ("mvn", "mvnd"),
    "builds a project",
    _JVM,
    Category.EXECUTE,
    options(
        "-B -batch-mode -q -quiet -e -errors -X -debug -o -offline -U -update-snapshots -ntp -no-transfer-progress -N "
        "-non-recursive -fae -ff -fn -fail-at-end -fail-fast -am -also-make -amd -nsu -V -C -c -pl= -projects= -P= "
        "-activate-profiles= -T= -threads= -rf= -resume-from= -r -color= -h -help -D=",
        scripts="-f= -file=",
        loads="-s= -settings= -gs= -global-settings= -t= -toolchains= -gt= -global-toolchains= -is= -ps=",
        outputs="-l= -log-file=",
        dangers={
            "-b=": "builds in another way",
            "-emp=": "takes a password",
            "-ep=": "takes a password",
            "-itr": "other",
        },
    ),
    open=True,
    one_dash=True,
    reader=all_of(_properties("--define=", "--define", "-D", harmless=_PROPERTIES), _goals, _unknown_words),
)
GRADLE = Program(
    ("gradle",),
    "builds a project",
    _JVM,
    Category.EXECUTE,
    options(
        "-q|--quiet -i|--info -d|--debug -w|--warn -s|--stacktrace -S|--full-stacktrace -m|--dry-run "
        "-x|--exclude-task= --tests= "
        "--console= --max-workers= --daemon --no-daemon --parallel --no-parallel --offline --continue --build-cache "
        "--no-build-cache --rerun-tasks --refresh-dependencies -P|--project-prop= --warning-mode= "
        "--configure-on-demand "
        "--profile -t|--continuous -u -a|--no-rebuild --priority= -h|--help -v|--version --stop --status "
        "-D|--system-prop=",
        directory="-p|--project-dir=",
        loads="-I|--init-script= -b|--build-file= -c|--settings-file= --include-build=",
        outputs="-g|--gradle-user-home= --project-cache-dir= --write-locks -M|--write-verification-metadata= "
        "--update-locks= --export-keys",
        dangers={
            "--scan": "sends a report to a website",
            "-F|--dependency-verification=": "changes what is trusted",
            "--no-verify": "trusts anything",
        },
    ),
    open=True,
    reader=_properties("--system-prop=", "--system-prop", "-D", harmless=_PROPERTIES),
)


def _sbt_commands(given: Given, findings: Findings) -> None:
    """Operands are commands, some of which are code."""
    for at in given.operands:
        word = findings.words[at]
        if not word.exact or re.match(r"\s*(set|eval|apply|alias|console|onFailure|session|!|<|;)", word.text):
            findings.danger(f"runs what stands in {word.written or word.text}", at)


SBT = Program(
    ("sbt",),
    "builds a project",
    _JVM,
    Category.EXECUTE,
    options(
        "-v -d -debug -no-colors -batch -client -mem=",
        loads="-java-home= -sbt-jar= -sbt-dir= -sbt-boot= -ivy= -jvm-opts= -sbt-create= -sbt-rc",
        dangers={"-script=": "runs a file"},
    ),
    open=True,
    one_dash=True,
    reader=all_of(_properties("-J", "-D", "-S", "--addPluginSbtFile", harmless=_PROPERTIES), _sbt_commands),
)
_DOTNET = options(
    "-c|--configuration= -f|--framework= -r|--runtime= -v|--verbosity= --no-build --no-restore --filter= --nologo "
    "--force "
    "--no-dependencies --self-contained[=] --collect= -t|--list-tests --blame --no-incremental --interactive --os= "
    "-a|--arch= "
    "--version-suffix= --tl[=] -l|--logger= --launch-profile= --no-launch-profile",
    scripts="--project=",
    writes="-o|--output=",
    loads="-s|--settings= --test-adapter-path= --configfile= --additionalprobingpath= --depsfile= --runtimeconfig= "
    "--roll-forward= --fx-version= --use-lock-file",
    outputs="--results-directory= -d|--diag= --artifacts-path= -bl[=] --lock-file-path= --packages=",
    runs="-e|--environment=",
    dangers={"--source=": "asks another index", "--disable-build-servers": "builds in another way"},
)


def _dotnet_words(given: Given, findings: Findings) -> None:
    """A value may follow a colon, and a word with a slash first may be an option of what it starts."""
    for at in range(given.start, len(given.words)):
        name, colon, _ = given.words[at].text.partition(":")
        option = given.program.options.get(name)
        if colon and option is not None and option.use is not Use.TEXT:
            findings.danger(f"can load code or write elsewhere ({name})", at)
    for at in given.operands:
        word = findings.words[at]
        if leads_out(word) and not word.text.lower().startswith(("/p:", "/property:")):
            findings.starts(word, at)


_DOTNET_READER = all_of(
    _properties("-p:", "/p:", "--property:", "-property:", "/property:", "--property=", "-p=", harmless=_MSBUILD),
    arguments_from_files,
    _dotnet_words,
)
DOTNET = Program(
    ("dotnet",),
    "builds .NET projects",
    "Runs what the project's settings say; a file of the project can choose another build kit, so no form only reads.",
    Category.EXECUTE,
    options(
        "-d|--diagnostics -h|--help --info --list-sdks --list-runtimes --version",
        loads="--additionalprobingpath=",
    ),
    verbs=(
        *several(
            {
                "build": "builds the project",
                "test": "runs the tests",
                "run": "builds the project and runs it",
                "publish": "builds the project to be installed",
                "pack": "packs the project",
                "clean": "deletes what was built",
                "format": "formats the project",
                "watch": "builds the project again and again",
                "new": "starts a project",
                "sln": "works on the list of projects",
                "tool": "works on tools",
                "ef": "works on the project's database",
            },
            "Runs what the project's settings say; properties, loggers and adapters that load code are dangers.",
            Category.EXECUTE,
            _DOTNET,
            one_dash=True,
            reader=_DOTNET_READER,
        ),
        *several(
            {
                "restore": "fetches packages",
                "add": "adds packages",
                "remove": "removes packages",
                "list": "lists packages",
            }
            | {"nuget": "works on packages", "workload": "works on the build kit"},
            "Fetches packages; another index is a danger.",
            Category.EXTERNAL,
            _DOTNET | options(dangers={"-s|--source=": "asks another index", "-k|--api-key=": "shows another key"}),
            one_dash=True,
            reader=_DOTNET_READER,
        ),
    ),
)
_SWIFT = options(
    "-c|--configuration= --filter= --skip= --parallel --num-workers= -v|--verbose -q|--quiet --product= --target= -j= "
    "--jobs= "
    "--list-tests --enable-code-coverage --skip-build --arch= --triple= --traits=",
    directory="--package-path= -C=",
    outputs="--build-path|--scratch-path= --xunit-output= --cache-path= --config-path= --security-path=",
    loads="--sdk= --toolchain= --destination= --experimental-swift-sdk= --swift-sdk= --pkg-config-path= --toolset=",
    runs="-Xcc= -Xswiftc= -Xlinker= -Xcxx= -Xbuild-tools-swiftc= -Xmanifest= --disable-sandbox --netrc-file=",
    dangers={
        "--allow-writing-to-package-directory": "lets plugins write",
        "--allow-network-connections=": "lets them out",
    },
)
SWIFT = Program(
    ("swift",),
    "builds Swift projects",
    "Runs the project's description and plugins; what changes the tools or takes away their bounds is a danger.",
    Category.EXECUTE,
    options(directory="-C="),
    verbs=several(
        {"build": "builds the project", "test": "runs the tests", "run": "builds the project and runs it"}
        | {"package": "works on packages"},
        "Runs the project's description and plugins; what changes the tools or takes away their bounds is a danger.",
        Category.EXECUTE,
        _SWIFT,
        reader=starts_operands_outside,
    ),
)
XCODEBUILD = Program(
    ("xcodebuild",),
    "builds a project",
    "Runs the project's build; settings among the operands, and other files of settings, are dangers.",
    Category.EXECUTE,
    options(
        "-scheme= -target= -configuration= -destination= -sdk= -arch= -quiet -verbose -list -showsdks -json -jobs= "
        "-only-testing= "
        "-skip-testing= -testPlan= -parallel-testing-enabled= -enableCodeCoverage= -showBuildSettings -version",
        scripts="-project= -workspace=",
        loads="-xcconfig= -xctestrun= -toolchain= -exportOptionsPlist=",
        outputs="-derivedDataPath= -resultBundlePath= -archivePath= -exportPath= -clonedSourcePackagesDirPath=",
        dangers={
            "-allowProvisioningUpdates": "changes the account",
            "-skipPackagePluginValidation": "trusts any plugin",
        }
        | {"-skipMacroValidation": "trusts any macro"},
    ),
    open=True,
    one_dash=True,
    reader=assigned_in_operands,
)
MIX = Program(
    ("mix", "rebar3"),
    "builds Elixir projects",
    "Runs tasks of the project; code given as text, and files to load first, are dangers.",
    Category.EXECUTE,
    options(
        "--trace --cover --stale --failed --only= --exclude= --include= --seed= --max-failures= --force "
        "--check-formatted",
        loads="-r|--require= --config= -pr= -pa= -S= --formatter= --dot-formatter=",
        runs="-e|--eval= --rpc-eval= --erl= --cookie= --name= --sname=",
    ),
    named_operands=1,
    open=True,
    runs_code=True,
    reader=starts_operands_outside,
)
DART = Program(
    ("flutter", "dart"),
    "builds Dart projects",
    "Runs tasks of the project; other build kits and code that is named are dangers.",
    Category.EXECUTE,
    options(
        "-v|--verbose --no-pub -d|--device-id= --dart-define= --flavor= --name= --plain-name= --release --debug "
        "--coverage",
        directory="-C|--directory=",
        loads="--packages= --dart-define-from-file= --local-engine= --local-engine-src-path= --kernel= --package-root=",
        outputs="-o|--output= --coverage-path= --file-reporter= --fix --apply",
        runs="--web-browser-flag= --observe[=] --enable-vm-service[=] --extra-front-end-options= "
        "--extra-gen-snapshot-options=",
        dangers={
            "--web-hostname=": "opens a port to others",
            "--web-port=": "opens a port",
            "--hosted-url=": "other index",
        },
    ),
    named_operands=1,
    open=True,
    runs_code=True,
    reader=starts_operands_outside,
)
PROGRAMS: tuple[Program, ...] = (MVN, GRADLE, SBT, DOTNET, SWIFT, XCODEBUILD, MIX, DART)
