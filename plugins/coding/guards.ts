type Words = readonly (string | undefined)[];

interface Guard {
  /** Subcommands that are never allowed. */
  readonly verbs?: string;
  /** Options that are never allowed, long ones also when shortened. */
  readonly flags?: string;
  /** Letters that are never allowed in a bundle of short options. */
  readonly letters?: string;
  readonly check?: (args: readonly string[]) => boolean;
}

// Ways in which tame programs run others, write files or take a strange
// configuration. Their words must all be known.
const GUARDS: Readonly<Record<string, Guard>> = {
  git: {
    verbs:
      "config filter-branch difftool mergetool daemon gui gitk citool instaweb web--browse send-email shell help credential upload-pack receive-pack upload-archive remote-ext remote-fd fast-import",
    flags:
      "--config --config-env --exec --exec-path --git-dir --work-tree --super-prefix --upload-pack --receive-pack --ext-diff --textconv --open-files-in-pager --output --template --separate-git-dir --extcmd",
    check: gitCheck,
  },
  find: {
    flags:
      "-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls -files0-from",
  },
  fd: { flags: "--exec --exec-batch", letters: "xX" },
  fdfind: { flags: "--exec --exec-batch", letters: "xX" },
  rg: { flags: "--pre --hostname-bin --search-zip", letters: "z" },
  ag: { flags: "--pager" },
  ack: { flags: "--pager --ackrc" },
  sort: {
    flags: "--output --compress-program --files0-from --temporary-directory",
    letters: "oT",
  },
  tar: {
    flags:
      "--to-command --checkpoint-action --use-compress-program --info-script --new-volume-script --rsh-command --rmt-command --absolute-names",
    letters: "IFP",
    check: (args) =>
      !/^-?[a-zA-Z]+$/.test(args[0] ?? "") || /[IFP]/.test(args[0] ?? ""),
  },
  zip: { flags: "--unzip-command --test-command", letters: "T" },
  split: { flags: "--filter" },
  uniq: {
    check: (args) => args.filter((arg) => !arg.startsWith("-")).length > 1,
  },
  yq: { flags: "--inplace --in-place", letters: "i" },
  just: {
    flags:
      "--command --shell --shell-arg --justfile --working-directory --set --chooser --edit",
    letters: "cfde",
    check: (args) => args.some((arg) => arg.includes("=")),
  },
  task: { flags: "--taskfile --dir", letters: "td" },
  curl: { flags: "--config --engine", letters: "K" },
  wget: {
    flags: "--use-askpass --execute --config --input-file",
    letters: "ei",
  },
  tree: { letters: "oR", flags: "--output" },
  date: { letters: "s", flags: "--set" },
  make: {
    flags: "--eval --file --makefile --directory --include-dir --shell",
    letters: "fCIE",
    check: (args) => args.some((arg) => arg.includes("=")),
  },
  sed: { check: (args) => !printsLines(args) },
  printf: { flags: "-v", letters: "v" },
  test: { flags: "-v -R", check: (args) => args.some((a) => a.includes("[")) },
  "[": {
    flags: "-v -R",
    check: (args) => args.slice(0, -1).some((a) => a.includes("[")),
  },
  npm: {
    verbs:
      "exec x explore edit config set get-config init create it install-test install-ci-test publish pkg",
    flags:
      "--prefix --script-shell --shell --node-options --userconfig --globalconfig --call --editor --viewer --global --location --registry",
    letters: "Ccg",
  },
  pnpm: {
    verbs: "exec dlx create config set env patch",
    flags: "--dir --script-shell --shell-mode --config --global --workspace",
    letters: "Ccg",
  },
  yarn: {
    verbs: "exec dlx create config set node plugin global",
    flags: "--cwd --use-yarnrc --script-shell",
  },
  deno: {
    verbs: "run eval repl x serve install i jupyter compile upgrade create",
    flags: "--config --import-map --preload --require --cwd --env-file",
    letters: "c",
    check: (args) => args.some((arg) => /^[a-z]+:/i.test(arg)), // remote code
  },
  cargo: {
    verbs: "run r install script",
    flags: "--config --manifest-path --target-dir",
    letters: "CZ",
  },
  go: {
    verbs: "run generate tool env",
    flags:
      "-exec -toolexec -vettool -overlay -modfile -o -C -pkgdir -gccgoflags -ldflags -gcflags -asmflags --exec --toolexec --vettool --overlay --modfile",
  },
  docker: {
    verbs: "run exec container build buildx cp plugin context create",
    flags: "--host --config --context --file --project-directory --env-file",
    letters: "Hf",
    check: ([verb, sub = ""]) =>
      verb === "compose" && /^(?:exec|run|-.*)$/.test(sub),
  },
  podman: {
    verbs: "run exec container compose build cp create machine",
    flags: "--remote --url --connection",
  },
  kubectl: {
    verbs: "exec run debug attach cp proxy plugin edit config",
    flags: "--kubeconfig --server --token --as",
  },
  apt: { flags: "--option --config-file", letters: "oc" },
  "apt-get": { flags: "--option --config-file", letters: "oc" },
  pip: { flags: "--python --config-settings --editable --target --prefix" },
  pip3: { flags: "--python --config-settings --editable --target --prefix" },
  uv: {
    verbs: "run tool x python",
    flags: "--directory --project --config-file",
  },
  poetry: {
    verbs: "run shell config",
    flags: "--directory --project",
    letters: "CP",
  },
  bundle: { verbs: "exec config open console", flags: "--gemfile" },
  gh: { verbs: "alias extension ext codespace cs config api browse" },
  systemctl: { verbs: "edit set-environment import-environment link" },
};

/** Why the arguments make a tame program dangerous; undefined when they do not. */
export function guardReason(words: Words): string | undefined {
  const [program = "", ...args] = words;
  const name = program.replace(/^.*\//, "");
  const guard = Object.hasOwn(GUARDS, name) ? GUARDS[name] : undefined;
  if (!guard) return undefined;
  const known = args.filter((arg) => arg !== undefined);
  if (known.length < args.length) {
    return `gives ${name} an argument that is not known beforehand`;
  }
  const verb = known.find((arg) => !arg.startsWith("-"));
  if (verb !== undefined && guard.verbs?.split(" ").includes(verb)) {
    return `runs ${name} ${verb}, which can do anything`;
  }
  const bad = known.find((arg) => refused(guard, arg));
  if (bad !== undefined) return `uses ${name} ${bad.slice(0, 40)}`;
  if (guard.check?.(known)) return `uses ${name} in a way that may do more`;
  return undefined;
}

function refused(guard: Guard, arg: string): boolean {
  if (/^[\w+.-]+::/.test(arg)) return true; // git's ext::, fd:: and other transports
  if (!arg.startsWith("-")) return false;
  const name = arg.replace(/=.*$/s, "");
  const flags = guard.flags?.split(" ") ?? [];
  if (flags.includes(name)) return true;
  if (arg.startsWith("--")) {
    return name.length > 2 && flags.some((flag) => flag.startsWith(name));
  }
  return [...guard.letters ?? ""].some((letter) => arg.includes(letter));
}

// Options before the verb set up everything that follows; some letters are
// dangerous with one verb only.
function gitCheck([verb = "", ...rest]: readonly string[]): boolean {
  if (verb.startsWith("-")) return rest.length > 0;
  const letters: Record<string, string> = {
    clone: "cu",
    grep: "O",
    rebase: "x",
    archive: "o",
    "format-patch": "o",
    "ls-remote": "u",
  };
  const short = rest.filter((arg) => /^-[^-]/.test(arg));
  if ([...letters[verb] ?? ""].some((l) => short.some((s) => s.includes(l)))) {
    return true;
  }
  return (verb === "submodule" && rest.length > 0 && rest[0] !== "status") ||
    (verb === "bisect" && rest.includes("run"));
}

// Only `sed -n 10,20p file`: other scripts may run commands and write files.
function printsLines(args: readonly string[]): boolean {
  const [flag, script, ...files] = args;
  return (flag === "-n" || flag === "-ne") && script !== undefined &&
    /^(?:\d+|\$)(?:,(?:\d+|\$))?p$/.test(script) &&
    files.every((file) => !file.startsWith("-"));
}
