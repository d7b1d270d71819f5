import assert from "node:assert/strict";
import { resolve } from "node:path";
import fc from "fast-check";
import { rule } from "../../../plugins/coding/allow.ts";
import { ALLOWED, BYPASSES, LISTED } from "./allow_cases.ts";
import { TempDir } from "../../temp_dir.ts";

const allowed = (command: string, prefixes: readonly string[] = LISTED) =>
  rule(command, prefixes, "/project").allowed;

Deno.test("rule() asks about every line of the bypass corpus", () => {
  const through = BYPASSES.filter((command) => allowed(command));
  assert.deepEqual(through, []);
  assert.ok(new Set(BYPASSES).size > 230, String(new Set(BYPASSES).size));
});

Deno.test("rule() allows every line of the allow table", () => {
  const asked = ALLOWED.filter((command) => !allowed(command))
    .map((command) => [command, rule(command, LISTED, "/project")]);
  assert.deepEqual(asked, []);
});

Deno.test("rule() allows nothing without a list", () => {
  for (const command of [...ALLOWED, ...BYPASSES]) {
    if (command.trim() === "cd /project") continue;
    assert.equal(allowed(command, []), false, command);
  }
});

Deno.test("rule() compares whole words", () => {
  assert.equal(allowed("git statusx", ["git status"]), false);
  assert.equal(allowed("git statu", ["git status"]), false);
  assert.equal(allowed("status git", ["git status"]), false);
  assert.equal(allowed("lsof", ["ls"]), false);
});

Deno.test("rule() asks for what is mm's own, though the command is listed", () => {
  for (
    const path of [
      ".mm",
      ".mm/serve.json",
      "./.mm/sessions/x.json",
      "/project/.MM/serve.json",
      "sub/.mm/sessions",
      ".mm/output/../serve.json",
      ".mm/outputs",
    ]
  ) {
    const ruling = rule(`ls && cat "${path}"`, LISTED, "/project");
    assert.deepEqual(ruling, {
      allowed: false,
      reason: "names mm's own files",
    }, path);
  }
  for (const path of [".mm/output/1.txt", ".mm/output", "a.mm", ".mmx/a"]) {
    assert.equal(allowed(`cat ${path}`), true, path);
  }
});

Deno.test("rule() asks for what a pattern makes of mm's own, as the shells do", async () => {
  await using dir = await TempDir.make();
  // So deep that no pattern below reaches what others have in the folder above.
  const cwd = `${await Deno.realPath(dir.path)}/a/b/c`;
  const own = `${cwd}/.mm`;
  await Deno.mkdir(`${own}/output/x`, { recursive: true });
  await Deno.writeTextFile(`${own}/serve.json`, "");
  await Deno.writeTextFile(`${own}/output/x/1`, "");
  const secrets = [own, `${own}/serve.json`];
  const reaches = (command: string) =>
    ["bash", "sh"].some((shell) => {
      const { stdout } = new Deno.Command(shell, {
        args: ["-c", command.replace("cat", "printf '%s\\n'")],
        cwd,
        clearEnv: true,
        env: { PATH: Deno.env.get("PATH") ?? "" },
        stdin: "null",
        stderr: "null",
      }).outputSync();
      return new TextDecoder().decode(stdout).split("\n")
        .some((path) => secrets.includes(resolve(cwd, path)));
    });
  for (
    const path of [
      ".m?/serve.json",
      ".m*/serve.json",
      ".*/serve.json",
      ".[m]m/serve.json",
      ".[[:alpha:]]m/serve.json",
      ".[]m]m/serve.json",
      ".m'm'/s*",
      ".{mm,x}/serve.json",
      "{x,.m{x,m}}/serve.json",
      "{x,.m}m/serve.json",
      "{a,.mm/serve}.json",
      ".{l..n}m/serve.json",
      "{'}',.mm}/serve.json",
      ".{mm,x}/output/../serve.json",
      ".mm/output/*/../../serve.json",
      ".mm$x/serve.json",
      "${x}.mm/serve.json",
      "x/../.m*/serve.json",
      "./.m*/serve.json",
    ]
  ) {
    const command = `cat ${path}`;
    assert.equal(allowed(command), false, command);
    if (!/[{x]/.test(path)) assert.ok(reaches(command), command);
  }
  const loop = "for f in .m?/serve.json; do cat $f; done";
  assert.ok(reaches(loop) && !allowed(loop));
  for (
    const path of [
      "*/serve.json",
      "?mm/serve.json",
      "[.]mm/serve.json",
      "*.mm",
      ".mm/output/*",
      ".mm/output/{x,y}/1",
      "'.m*'/serve.json",
      "src/{a,b}/*.ts",
      "{1..5}.txt",
    ]
  ) {
    const command = `cat ${path}`;
    assert.equal(allowed(command), true, command);
    assert.ok(!reaches(command), command);
  }

  const pieces =
    `. m mm .m .mm * ? [m] [!a] [a-z] { } , / .. 'm' "." \\m $x /serve.json output/`;
  const piece = fc.constantFrom(...pieces.split(" "));
  let judged = 0;
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), (some) => {
      const path = some.join("");
      for (const one of [path, `${path}/serve.json`]) {
        if (!/[*?[{]/.test(one) || /^(\$x)*\//.test(one)) continue;
        if (!allowed(`cat ${one}`)) continue;
        judged++;
        assert.ok(!reaches(`cat ${one}`), one);
      }
    }),
    { numRuns: Number(Deno.env.get("MM_FUZZ_RUNS") ?? 1_000), seed: 20260101 },
  );
  assert.ok(judged > 20, String(judged));
});

Deno.test("rule() gives a reason in plain words", () => {
  const reason = (command: string) => {
    const ruling = rule(command, LISTED);
    return ruling.allowed ? "" : ruling.reason;
  };
  assert.equal(reason("ls > x"), "writes to a file by redirection");
  assert.equal(reason("cat < x"), "reads a file by redirection");
  assert.equal(reason("A=1 ls"), "sets a variable");
  assert.equal(reason("rm x"), "not in the allowed commands");
  assert.equal(reason("ls; f() { ls; }"), "defines a function");
  assert.equal(reason("ls <(ls)"), "uses process substitution");
  assert.equal(reason("sh x"), "runs sh, which can run anything");
  assert.equal(reason("cd /tmp && ls"), "changes the folder");
  assert.equal(reason("find . -delete"), "uses find -delete");
  assert.equal(reason("echo 'x"), "cannot be parsed");
  assert.equal(reason("$X"), "hides which command it runs");
});

Deno.test("rule() offers the prefix that would do next time", () => {
  const scope = (command: string, prefixes: string[] = []) => {
    const ruling = rule(command, prefixes, "/project");
    return ruling.allowed ? "allowed" : ruling.scope;
  };
  assert.equal(scope("rm -rf build"), "rm");
  assert.equal(scope("git status --short"), "git status");
  assert.equal(scope("git --no-pager diff"), "git diff");
  assert.equal(scope("git remote set-url a b"), "git remote set-url");
  assert.equal(scope("npm run build -- -x"), "npm run build");
  assert.equal(scope("deno task ok"), "deno task ok");
  assert.equal(scope("cargo test"), "cargo test");
  assert.equal(scope("make"), "make");
  assert.equal(scope("cargo test | head", ["head"]), "cargo test");
  assert.equal(scope("cd /project && cargo test 2>&1"), "cargo test");
  for (
    const command of [
      "cargo test | head", // two prefixes
      "cargo test > log",
      "git -C x status",
      "git log --output=x",
      "git 'status'",
      "bash x",
      "kubectl -n x delete y",
      "A=1 make",
      "npm exec x",
    ]
  ) assert.equal(scope(command), undefined, command);
});

Deno.test("rule() allows a command once the offered prefix is listed", () => {
  for (const command of [...ALLOWED, ...BYPASSES]) {
    const ruling = rule(command, [], "/project");
    if (ruling.allowed || ruling.scope === undefined) continue;
    assert.ok(rule(command, [ruling.scope], "/project").allowed, command);
  }
});

Deno.test("rule() allows nothing that runs or writes more, say the shells (random commands)", async () => {
  await using dir = await TempDir.make();
  const cwd = dir.path;
  const piece = fc.constantFrom(...PIECES);
  // Half of the commands start inside of a quotation, where much is allowed.
  const head = fc.constantFrom("", "ls ", "echo '", 'echo "', "ls # ", "ls;");
  const tail = fc.constantFrom("", "'", '"', " ls", "\n", ";", "\nls");
  let judged = 0;
  assert.equal(verdict("bash", "ls; rm", cwd), "SHOUTED");
  assert.equal(verdict("sh", "echo $(rm)", cwd), "SHOUTED");
  fc.assert(
    fc.property(head, fc.array(piece, { maxLength: 10 }), tail, (a, b, c) => {
      for (const text of [a + b.join(" ") + c, a + b.join("") + c]) {
        if (!/rm|>/.test(text)) continue;
        if (!allowed(text, ["ls", "echo", "printf"])) continue;
        judged++;
        for (const shell of ["bash", "sh"]) {
          assert.equal(verdict(shell, text, cwd), "", JSON.stringify(text));
        }
      }
    }),
    { numRuns: Number(Deno.env.get("MM_FUZZ_RUNS") ?? 3_000) },
  );
  assert.deepEqual([...Deno.readDirSync(cwd)], []);
  assert.ok(judged > 100, String(judged));
});

const PIECES = [
  ..."ls rm echo printf ; && || & $( ) ` \" ' \\ { } ( ) < > <( <<E # ! if then"
    .split(" "),
  ..."fi for x in do done while case esac ${ $(( )) [[ ]] = ~ * -v 2>&1 a"
    .split(" "),
  ..."function () $' $\" @( coproc time ls rm echo >/dev/null <<<".split(" "),
  ...'|& >& &> 1 : $x "$x" \'a\' "b" {a,b} \\" \\\' ;; until else'.split(" "),
  "|",
  "||",
  "\n",
  "\t",
  " ",
  "\nE\n",
  "\\\n",
];

// Where `rm` is a function that shouts and no program can be found, whatever
// was allowed must neither make it shout nor leave a file behind.
function verdict(shell: string, text: string, cwd: string): string {
  const { stdout } = new Deno.Command(shell, {
    args: [
      "-c",
      `n=0
      rm() { command printf 'SHOUTED' >&9; }
      ls() { n=$((n + 1)); [ $n -gt 20 ] && exit; :; }
      echo() { ls; }
      printf() { ls; }
      ulimit -t 1
      PATH=/nowhere
      eval "$1" 9>&1 >/dev/null 2>&1 </dev/null`,
      "x",
      text,
    ],
    cwd,
    clearEnv: true,
    stdin: "null",
    stderr: "null",
  }).outputSync();
  return new TextDecoder().decode(stdout);
}
