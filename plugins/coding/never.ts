const NEVER = new Set(
  `
  sh bash zsh fish dash ash ksh ksh93 mksh pdksh rbash csh tcsh yash elvish nu xonsh
  pwsh powershell cmd busybox toybox
  env xargs parallel sudo doas su runuser pkexec gosu chroot unshare nsenter setpriv
  nohup setsid timeout nice ionice chrt taskset stdbuf unbuffer time watch flock entr
  strace ltrace gdb lldb valgrind perf script scriptreplay expect screen tmux dtach at
  batch crontab systemd-run systemd-inhibit start-stop-daemon cgexec firejail bwrap
  fakeroot eatmydata proot ld.so run-parts dbus-run-session xvfb-run faketime
  ssh-agent sg newgrp login hyperfine watchexec watchman nodemon pm2 forever concurrently
  onchange cross-env dotenv dotenvx direnv corepack volta fnm nvm mise rtx asdf rbenv pyenv
  conda mamba hatch pdm rye
  ssh scp sftp rsync mosh rsh rlogin telnet nc ncat netcat socat ftp lftp
  awk gawk mawk nawk python pypy ipython perl ruby irb jruby php lua luajit tclsh wish
  node nodejs bun tsx ts-node npx pnpx bunx uvx pipx rscript r julia octave
  ghc ghci runghc runhaskell ocaml scala kotlin groovy java jshell jrunscript erl iex
  elixir racket guile sbcl clisp emacs emacsclient vi vim nvim view ex ed nano pico
  joe micro less more most man info pg m4 dc bc sqlite3 psql mysql mariadb mongosh
  redis-cli osascript open xdg-open rlwrap
  eval exec source . command builtin alias unalias export declare typeset local
  readonly unset set shopt enable hash trap read readarray mapfile getopts let bind
  complete compgen compopt fc history jobs wait cd pushd popd dirs
 
  `.trim().split(/\s+/),
);

/** Why the program can run or change anything, whatever follows; undefined for a tame one. */
export function neverReason(program: string): string | undefined {
  const name = program.replace(/^.*[/\\]/, "").toLowerCase()
    .replace(/\.(?:exe|cmd|bat|com)$/, "");
  const family = name.replace(/-?\d[\d.]*$/, ""); // python3.12, node22, lua5.4
  if (!NEVER.has(name) && !NEVER.has(family)) return undefined;
  if (/^(?:cd|pushd|popd)$/.test(name)) return "changes the folder";
  return `runs ${name}, which can run anything`;
}
