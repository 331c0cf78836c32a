/** Tests that edits by the author of a folder require no new trust, but changes by git, agents, packages and other users do. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { agent, type Clone, clone, rehearsal, run, useClones } from "./clone-fixture.ts";

useClones();

const first = 'import "./inner.mjs";\nexport const f = () => "first";\n';
const second = 'import "./inner.mjs";\nexport const f = () => "second";\n';
const yaml = agent(
  "tools: [{ type: function, name: f, description: d, file: tools.mjs, function: f, parameters: { day: { type: string, default: x } } }]",
);

let place: Clone;
beforeEach(() => {
  place = clone({ "agent.yaml": yaml, "tools.mjs": first, "inner.mjs": "", ...rehearsal });
});

const write = (name: string, text: string) => {
  mkdirSync(dirname(join(place.cwd, name)), { recursive: true });
  writeFileSync(join(place.cwd, name), text);
};
const shown = () => run("trust --show", place);
const use = () => run("run --agent agent.yaml --rehearse script.yaml Hi", place);
const git = (...words: string[]) =>
  execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...words], {
    cwd: place.cwd,
    env: { PATH: process.env.PATH, HOME: place.home, GIT_CONFIG_NOSYSTEM: "1" },
    stdio: "pipe",
  });
/** Commits different notes on `main` and on the branch `theirs`, which also gets the other files. */
function diverge(others: Readonly<Record<string, string>> = {}): void {
  const commit = (files: Readonly<Record<string, string>>, message: string) => {
    for (const [name, text] of Object.entries(files)) write(name, text);
    git("add", "-A");
    git("commit", "-qm", message);
  };
  commit({ "notes.md": "mine\n" }, "Note");
  git("checkout", "-q", "-b", "theirs", "HEAD~1");
  commit({ "notes.md": "theirs\n", ...others }, "Other note");
  git("checkout", "-q", "main");
}
const hasGit = spawnSync("git", ["--version"]).status === 0;

test("without an author, every change asks, and shows the change", async () => {
  await run("trust", place);
  write("tools.mjs", second);
  const { code, stdout } = await shown();
  expect(code).toBe(3);
  expect(stdout).toMatch(/~ changed {7}.*tools\.mjs\n/);
  expect(stdout).toContain('│ - export const f = () => "first";\n│ + export const f = () => "second";\n');
  const { stderr } = await use();
  expect(stderr).toContain("changed since you trusted it");
  expect(stderr).toContain('│ + export const f = () => "second";\n');
  const asked = await run("run --agent agent.yaml --rehearse script.yaml Hi", place, { typed: ["n"] });
  expect(asked.stderr).toContain("Files changed since you trusted this folder.");
  expect(asked.stderr).toContain('│ + export const f = () => "second";\n');
});

describe("in a folder that the user trusts as its author", () => {
  beforeEach(async () => {
    expect(await run("trust --author", place)).toMatchObject({ code: 0 });
  });

  test("edits, new modules and removed ones do not ask, also one after another", async () => {
    for (const text of [second, `import "./new.mjs";\n${second}`, "export const f = () => 1;"]) {
      write("new.mjs", text.length > 60 ? "export {};" : "");
      write("tools.mjs", text);
      expect(await use()).toMatchObject({ code: 0, stdout: "Hello.\n" });
      expect(await shown()).toMatchObject({ code: 0 });
    }
  });

  test("a new effect asks", async () => {
    write("agent.yaml", yaml.replace("tools: [", "tools: [{ type: mcp, name: m, command: node, args: [x.mjs] }, "));
    expect(await shown()).toMatchObject({ code: 3 });
  });

  test("a change of a file that is no code asks: it can name programs", async () => {
    write("agent.yaml", agent("tools: [{ type: mcp, name: m, command: node, args: [x.json] }]"));
    write("x.json", "{}");
    await run("trust", place);
    write("x.json", '{ "command": "evil" }');
    expect((await shown()).stdout).toContain("x.json: it is not a file of code");
  });

  test("a link, a file that others can write, and a module in node_modules ask", async () => {
    write("../elsewhere.mjs", second);
    renameSync(join(place.cwd, "tools.mjs"), join(place.cwd, "old.mjs"));
    symlinkSync(join(place.cwd, "../elsewhere.mjs"), join(place.cwd, "tools.mjs"));
    expect((await shown()).stdout).toContain("it is outside of your folder");
    renameSync(join(place.cwd, "old.mjs"), join(place.cwd, "tools.mjs"));
    write("tools.mjs", second);
    chmodSync(join(place.cwd, "tools.mjs"), 0o666);
    expect((await shown()).stdout).toContain("can be written by every user");
    chmodSync(join(place.cwd, "tools.mjs"), 0o644);
    expect(await shown()).toMatchObject({ code: 0 });
    write("node_modules/p/index.mjs", "");
    write("tools.mjs", `import "./node_modules/p/index.mjs";\n${second}`);
    expect((await shown()).stdout).toContain("it is in node_modules");
  });

  test("a change beside an installation of packages asks, one after it does not", async () => {
    write("node_modules/.package-lock.json", "{}");
    write("tools.mjs", second);
    expect((await shown()).stdout).toContain("tools.mjs: packages were installed since");
    write("tools.mjs", first);
    expect(await use()).toMatchObject({ code: 0 });
    write("tools.mjs", second);
    expect(await use()).toMatchObject({ code: 0 });
  });

  test("a new folder without code is not an installation of packages", async () => {
    mkdirSync(join(place.cwd, "notes"));
    write("tools.mjs", second);
    expect(await shown()).toMatchObject({ code: 0 });
  });

  test("a change beside an installation of packages in a folder inside asks", async () => {
    write("ui/package-lock.json", "{}");
    write("tools.mjs", second);
    expect((await shown()).stdout).toContain("tools.mjs: packages were installed since");
  });

  test("a change by an agent asks, with or without --trust, until a person accepts it", async () => {
    const writing = `import { writeFileSync } from "node:fs";
export const f = () => (writeFileSync(new URL("./inner.mjs", import.meta.url), \`// \${Date.now()}\`), "done");`;
    write("script.yaml", "rehearsal: 1\nturns: [{ steps: [{ call: f, with: {} }, { say: Hello. }] }]\n");
    write("tools.mjs", writing);
    for (const flag of [" --trust", ""]) {
      expect(await run(`run --agent agent.yaml --rehearse script.yaml${flag} Hi`, place)).toMatchObject({ code: 0 });
      expect(readFileSync(join(place.cwd, "inner.mjs"), "utf8")).toMatch(/^\/\/ \d+$/);
      const { code, stdout } = await shown();
      expect({ code, stdout }).toEqual({ code: 3, stdout: expect.stringContaining("inner.mjs: an agent was running") });
      write("tools.mjs", `${writing}\n`); // an edit of the author does not hide it
      expect(await use()).toMatchObject({ code: 3 });
      expect(await run("trust", place)).toMatchObject({ code: 0 });
    }
  });

  describe("where another agent of the folder runs and writes", () => {
    const computing = "export const f = (name) => import(name);\n";
    const python = yaml.replace("tools.mjs", "py/t.py");

    const runOther = async (code: string) => {
      write("a.yaml", yaml.replace("name: desk", "name: a").replace("tools.mjs", "a.mjs"));
      write("a.mjs", `import fs from "node:fs";\nconst here = (name) => new URL(name, import.meta.url);\n${code}`);
      await run("trust --author", place);
      expect(await run("trust --author a.yaml", place)).toMatchObject({ code: 0 });
      expect(await shown()).toMatchObject({ code: 0 });
      write("script.yaml", "rehearsal: 1\nturns: [{ steps: [{ call: f, with: {} }, { say: Hello. }] }]\n");
      const ran = await run("run --agent a.yaml --rehearse script.yaml Hi", place);
      expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: "Hello.\n" });
    };

    test.each([
      ["a module in a folder that had no code", computing, "./lib/evil.mjs", "lib/evil.mjs"],
      ["a module in a folder that is new", computing, "./new/inner/evil.mjs", "new/inner/evil.mjs"],
      ["a package with the name of one of Python", "import json\n", "./py/json/__init__.py", "py/json/__init__.py"],
    ])("%s asks", async (_what, code, target, shownAs) => {
      mkdirSync(join(place.cwd, "lib"));
      write("agent.yaml", code === computing ? yaml : python);
      write(code === computing ? "tools.mjs" : "py/t.py", code);
      await runOther(
        `export const f = () => (fs.mkdirSync(here("${dirname(target)}"), { recursive: true }), fs.writeFileSync(here("${target}"), ""), "done");`,
      );
      const { code: exit, stdout } = await shown();
      expect({ exit, stdout }).toEqual({
        exit: 3,
        stdout: expect.stringContaining(`${shownAs}: an agent was running`),
      });
    });

    test.each([
      ["a folder with older code that it moves there", 'fs.renameSync(here("../stash"), here("./lib"))'],
      ["a link to a text", 'fs.symlinkSync("notes.txt", here("./evil.mjs"))'],
    ])("%s asks", async (_what, statement) => {
      write("tools.mjs", computing);
      write("notes.txt", "export {};");
      write("../stash/evil.mjs", "");
      await runOther(`export const f = () => (${statement}, "done");`);
      const { code, stdout } = await shown();
      expect({ code, stdout }).toEqual({
        code: 3,
        stdout: expect.stringContaining("evil.mjs: an agent was running"),
      });
    });
  });

  test("a change after a process that was killed asks", async () => {
    await use();
    const marks = join(place.home, ".local/state/bridle/trust-runs");
    expect(readdirSync(marks)).toEqual([]);
    const { createFolderTrust } = await import("@bridle/app/trust");
    const { openProject } = await import("@bridle/project");
    const trust = createFolderTrust({ environment: { HOME: place.home } });
    const { loadAgent, effectiveFiles } = await import("@bridle/agent");
    const project = await openProject({ projectDir: place.cwd, environment: { HOME: place.home }, trust });
    const definition = await loadAgent(join(place.cwd, "agent.yaml"), { environment: {} });
    await project.requireTrust(await effectiveFiles(definition, project));
    expect(readdirSync(marks)).toHaveLength(1); // a process that never calls close()
    write("tools.mjs", second);
    expect((await shown()).stdout).toContain("an agent was running");
    await trust.close?.();
    expect((await shown()).stdout).toContain("an agent was running");
  });

  test("earlier contents are private, without those of files of variables, and go when trust goes", async () => {
    const folder = join(place.home, ".local/state/bridle/trust-contents");
    expect(readdirSync(folder)).toHaveLength(2);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    await run("trust --revoke", place);
    expect(readdirSync(folder)).toEqual([]);
  });

  describe.skipIf(!hasGit)("with git", () => {
    beforeEach(async () => {
      git("init", "-q", "-b", "main");
      git("add", "-A");
      git("commit", "-qm", "Start");
      expect(await use()).toMatchObject({ code: 0 });
    });

    const others = (text: string) => {
      git("checkout", "-q", "-b", "theirs");
      write("tools.mjs", text);
      git("commit", "-qam", "Change");
      git("checkout", "-q", "main");
      expect(readFileSync(join(place.cwd, "tools.mjs"), "utf8")).toBe(first);
    };

    test("edits, commits and amended commits of one's own do not ask", async () => {
      write("tools.mjs", second);
      expect(await shown()).toMatchObject({ code: 0 });
      git("commit", "-qam", "Say second");
      expect(await shown()).toMatchObject({ code: 0 });
      write("tools.mjs", `${second}\n`);
      git("commit", "-qa", "--amend", "--no-edit");
      git("checkout", "-q", "-b", "topic");
      expect(await use()).toMatchObject({ code: 0 });
    });

    test.each([
      ["merge", ["merge", "-q", "theirs"]],
      ["reset", ["reset", "-q", "--hard", "theirs"]],
      ["rebase", ["rebase", "-q", "theirs"]],
      ["cherry-pick", ["cherry-pick", "theirs"]],
      ["checkout", ["checkout", "-q", "theirs"]],
      ["pull", ["pull", "-q", ".", "theirs"]],
    ])("what git brings by %s asks, also below an edit of one's own", async (what, words) => {
      others(second);
      await use(); // nothing has changed on `main`
      git(...words);
      const { code, stdout } = await shown();
      expect({ code, stdout }).toEqual({
        code: 3,
        stdout: expect.stringContaining(`git brought in other commits since then (${what}`),
      });
      write("tools.mjs", `${second}// mine\n`);
      expect(await use()).toMatchObject({ code: 3 });
      await run("trust", place);
      write("tools.mjs", `${second}// mine again\n`);
      expect(await use()).toMatchObject({ code: 0 });
    });

    test("what a merge brings that stops in a conflict asks, also if a reset ends it", async () => {
      diverge({ "tools.mjs": second });
      await use();
      expect(() => git("merge", "-q", "theirs")).toThrow();
      expect(readFileSync(join(place.cwd, "tools.mjs"), "utf8")).toBe(second);
      expect((await shown()).stdout).toContain("tools.mjs: git has not finished a merge");
      git("reset", "-q");
      expect(readFileSync(join(place.cwd, "tools.mjs"), "utf8")).toBe(second);
      expect((await shown()).stdout).toContain("tools.mjs: git brought in other commits since then (reset");
    });

    test("an edit after a rebase that stopped in a conflict, and was finished, does not ask", async () => {
      diverge();
      expect(() => git("rebase", "-q", "theirs")).toThrow();
      write("tools.mjs", second);
      expect((await shown()).stdout).toContain("tools.mjs: git");
      write("tools.mjs", first);
      write("notes.md", "both\n");
      git("add", "-A");
      git("-c", "core.editor=true", "rebase", "--continue");
      expect(await use()).toMatchObject({ code: 0 }); // the code is unchanged
      write("tools.mjs", second);
      git("commit", "-qam", "Say second");
      expect(existsSync(join(place.cwd, ".git/REBASE_HEAD"))).toBe(true); // git leaves this file behind
      expect(await shown()).toMatchObject({ code: 0 });
    });

    test("one's own edits that were stashed for a while do not ask", async () => {
      write("tools.mjs", second);
      git("stash", "-q");
      git("stash", "pop", "-q");
      write("tools.mjs", `${second}// more\n`);
      expect(await use()).toMatchObject({ code: 0 });
      git("stash", "push", "-q", "-m", "Later");
      git("reset", "-q"); // changes nothing, but could keep the files of a merge
      git("stash", "pop", "-q");
      write("tools.mjs", second);
      expect((await shown()).stdout).toContain("tools.mjs: git brought in other commits since then (reset");
    });

    test("what a pull brings asks, also if HEAD is back at the trusted commit", async () => {
      others(second);
      await use();
      git("pull", "-q", "--ff-only", ".", "theirs");
      git("reset", "-q", "HEAD~1");
      expect(readFileSync(join(place.cwd, "tools.mjs"), "utf8")).toBe(second);
      expect((await shown()).stdout).toContain("tools.mjs: git brought in other commits since then (pull");
    });

    test("what an agent writes into the code of another agent of the repository asks", async () => {
      const writing = `import { writeFileSync } from "node:fs";
export const f = () => (writeFileSync(new URL("../b/tools.mjs", import.meta.url), "export const f = () => 2;"), "done");`;
      for (const [name, code] of Object.entries({ a: writing, b: first.replace('import "./inner.mjs";\n', "") })) {
        write(`agents/${name}/agent.yaml`, yaml);
        write(`agents/${name}/tools.mjs`, code);
      }
      for (const name of ["a", "b"]) await run(`trust --author agents/${name}/agent.yaml`, place);
      write("script.yaml", "rehearsal: 1\nturns: [{ steps: [{ call: f, with: {} }, { say: Hello. }] }]\n");
      const ran = await run("run --agent agents/a/agent.yaml --rehearse script.yaml Hi", place);
      expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: "Hello.\n" });
      const { code, stdout } = await run("trust --show agents/b/agent.yaml", place);
      expect({ code, stdout }).toEqual({ code: 3, stdout: expect.stringContaining("tools.mjs: an agent was running") });
    });

    test("a file that is not code, written by one agent beside another agent's code, does not ask", async () => {
      const writing = `import { writeFileSync } from "node:fs";
export const f = () => (writeFileSync(new URL("./notes.txt", import.meta.url), String(Date.now())), "done");`;
      write("a.yaml", yaml.replace("name: desk", "name: a").replace("tools.mjs", "a.mjs"));
      write("a.mjs", writing);
      await run("trust --author a.yaml", place);
      write("script.yaml", "rehearsal: 1\nturns: [{ steps: [{ call: f, with: {} }, { say: Hello. }] }]\n");
      expect(await run("run --agent a.yaml --rehearse script.yaml Hi", place)).toMatchObject({ code: 0 });
      expect(existsSync(join(place.cwd, "notes.txt"))).toBe(true);
      write("tools.mjs", second);
      expect(await shown()).toMatchObject({ code: 0 });
    });

    test("a log of git that is gone or changed asks", async () => {
      write("tools.mjs", second);
      renameSync(join(place.cwd, ".git/logs"), join(place.cwd, ".git/logs-gone"));
      expect((await shown()).stdout).toContain("git keeps no log");
      mkdirSync(join(place.cwd, ".git/logs"));
      write(".git/logs/HEAD", "");
      expect((await shown()).stdout).toContain("git changed its log");
    });
  });
});

test("a clone of a folder of one's own asks", async () => {
  await run("trust --author", place);
  const other = { ...place, cwd: `${place.cwd}-copy` };
  execFileSync("cp", ["-r", place.cwd, other.cwd]);
  expect(existsSync(other.cwd)).toBe(true);
  expect(await run("trust --show", other)).toMatchObject({ code: 3 });
});

test("a word that changes in the tools of a new project asks nothing", async () => {
  const desk = { ...place, cwd: join(place.cwd, "desk") };
  await run("init desk --yes --provider claude-code --model sonnet", place);
  const tools = join(desk.cwd, "tools.ts");
  writeFileSync(tools, readFileSync(tools, "utf8").replace("Reading lamp", "Reading light"));
  expect(await run("trust --show", desk)).toMatchObject({ code: 0 });
  const { stderr } = await run("test --rehearse rehearsal.yaml", desk);
  expect(stderr).not.toContain("you trusted it");
});
