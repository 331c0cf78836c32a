/** Tests files that a trusted command or a host loads: the user is asked about changed files as about a changed command. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { agent, clone, type Files, run, useClones } from "./clone-fixture.ts";

useClones();

const server = (lines: string) => agent(`tools: [{ type: mcp, name: m, ${lines} }]`);
const hooks = agent("claude: { setting_sources: [project] }");

const loaded: readonly (readonly [what: string, file: string, text: string, more?: Files])[] = [
  ["a file after = in an argument", "e.mjs", server(`command: node, args: ["--import=./e.mjs"]`)],
  [
    "a module of the file after =",
    "lib.mjs",
    server(`command: node, args: ["--import=./e.mjs"]`),
    { "e.mjs": "import './lib.mjs'" },
  ],
  [
    "a file in NODE_OPTIONS",
    "e.mjs",
    server(`command: npx, args: [good], env: { NODE_OPTIONS: "--no-warnings --import=./e.mjs" }`),
  ],
  [
    "a file that NODE_OPTIONS of an env_file names",
    "e.mjs",
    server("command: npx, args: [good], env_file: .vars"),
    { ".vars": 'NODE_OPTIONS="--import ./e.mjs"\n' },
  ],
  ["an env_file", ".vars", server("command: npx, args: [good], env_file: .vars")],
  ["a file in a line for a shell", "e.sh", server(`command: sh, args: ["-c", "cd . && './e.sh' --x; true"]`)],
  ["a file in a long line for a shell", "e.sh", server(`command: sh, args: ["-c", "${"true; ".repeat(2000)}./e.sh"]`)],
  ["a file URL", "e.mjs", server(`command: node, args: ["--import=file:CWD/e.mjs"]`)],
  ["a file without its ending", "e.js", server("command: node, args: [./e]")],
  ["the index of a folder", "e/index.js", server("command: node, args: [./e]")],
  ["a module of Python", "srv.py", server("command: python3, args: [-m, srv]")],
  ["a package of Python", "srv/__main__.py", server("command: python3, args: [-m, srv]")],
  [
    "another module of a package of Python",
    "srv/tools.py",
    server("command: python3, args: [-m, srv.main]"),
    { "srv/main.py": "" },
  ],
  ["a module of Python in one argument", "srv.py", server("command: python3, args: [-msrv]")],
  ["a module of Python in a line for a shell", "srv.py", server(`command: sh, args: ["-c", "python3 -u -m srv"]`)],
  ["hooks of the project", ".claude/settings.json", hooks],
  ["local hooks", ".claude/settings.local.json", agent("claude: { setting_sources: [all] }")],
  ["a program of a hook", ".claude/hooks/format.sh", hooks],
  ["a command of the project", ".claude/commands/a/b.md", hooks],
  ["instructions of the project", "CLAUDE.md", hooks],
  ["local instructions", "CLAUDE.local.md", hooks],
  [
    "hooks of the working directory",
    "sub/.claude/settings.json",
    agent("claude: { working_directory: sub, setting_sources: [project] }"),
    { "sub/a.md": "" },
  ],
];

const rows = loaded.map(([what, file, text, more = {}]) => ({ what, file, text, more }));
describe.each(rows)("$what", ({ file, text, more }) => {
  const isNamedKey = text.includes(`env_file: ${file}`); // a missing file is an error in the agent file
  test.each(isNamedKey ? ["changes"] : ["changes", "appears", "disappears"])(
    "is asked about again when it %s",
    async (how) => {
      const place = clone({ "agent.yaml": text, ...more, "unrelated.mjs": "", [file]: "first" });
      const [path, agentFile] = [join(place.cwd, file), join(place.cwd, "agent.yaml")];
      writeFileSync(agentFile, text.replaceAll("CWD", place.cwd));
      if (how === "appears") rmSync(path);
      expect(await run("trust", place)).toMatchObject({ code: 0 });
      writeFileSync(join(place.cwd, "unrelated.mjs"), "changed");
      expect(await run("trust --show", place)).toMatchObject({ code: 0 });
      mkdirSync(dirname(path), { recursive: true });
      if (how === "disappears") rmSync(path);
      else writeFileSync(path, "second");
      expect(await run("trust --show", place)).toMatchObject({ code: 3, stdout: expect.stringContaining("+ runs") });
    },
  );
});

test("hooks of Claude Code's settings are not read if the agent opens only the user's", async () => {
  const place = clone({ "agent.yaml": agent("claude: { setting_sources: [user] }"), ".claude/settings.json": "{}" });
  await run("trust", place);
  writeFileSync(join(place.cwd, ".claude/settings.json"), '{ "hooks": {} }');
  expect(await run("trust --show", place)).toMatchObject({ code: 0 });
});

/** Answers only if the model gets this text. */
const answering = (text: string) => ({
  "script.yaml": `rehearsal: 1\nturns: [{ when: { system: "${text}" }, steps: [{ say: Hello. }] }]\n`,
});
const skill = (text: string) => `---\nname: ${text}\ndescription: d\n---\n${text}\n`;

describe("a link in the folder that leads out of it", () => {
  const rows: readonly (readonly [what: string, agent: string, link: string, to: string])[] = [
    ["a skill among others", agent("skills: [skills]"), "skills/a", "../../outside/private"],
    ["a folder of skills", agent("skills: [skills]"), "skills", "../outside"],
    ["a skill that is named itself", agent("skills: [skills/a]"), "skills/a", "../../outside/private"],
    [
      "instructions behind a name with brackets",
      "name: desk\ninstructions: { file: 'up[1]/note.md' }\n",
      "up[1]",
      "../outside/private",
    ],
  ];

  test.each(rows)("is listed, refused and not read: %s", async (_what, text, link, to) => {
    const place = clone({
      "agent.yaml": text,
      "../outside/private/SKILL.md": skill("top-secret-name"),
      "../outside/private/note.md": "top-secret-name",
      ...answering("top-secret-name"),
    });
    mkdirSync(dirname(join(place.cwd, link)), { recursive: true });
    symlinkSync(to, join(place.cwd, link));
    const shown = await run("trust --show", place);
    expect(shown).toMatchObject({ code: 3, stdout: expect.stringContaining(`outside of the folder`) });
    for (const words of ["run --agent agent.yaml Hi", "agent show", "agent validate"]) {
      const { stdout, stderr } = await run(words, place);
      expect(stdout + stderr).toContain("outside of the folder");
      expect(stdout + stderr).not.toContain("top-secret");
    }
    await run("trust", place);
    expect(await run("trust --show", place)).toMatchObject({ code: 0 });
    const { code, stdout } = await run("run --agent agent.yaml --rehearse script.yaml Hi", place);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Hello.\n" });
  });

  test("a link that stays in the folder needs no trust", async () => {
    const place = clone({
      "agent.yaml": agent("skills: [skills]"),
      "other/SKILL.md": skill("own"),
      "skills/README.md": "",
      ...answering("own: d"),
    });
    symlinkSync("../other", join(place.cwd, "skills/a"));
    expect(await run("trust --show", place)).toMatchObject({ code: 0 });
    expect(await run("run --agent agent.yaml --rehearse script.yaml Hi", place)).toMatchObject({ code: 0 });
  });
});

test("an agent that changes its name, and so leaves a rule that denies its call, asks", async () => {
  const named = (name: string) =>
    agent(
      "tools: [{ type: function, name: f, description: d, file: tools.mjs, function: f, parameters: { day: { type: string, default: x } } }]",
    ).replace("name: desk", `name: ${name}`);
  const place = clone({
    "bridle.yaml": "policy: { mode: yolo, rules: [{ tool: f, then: deny, agents: [desk] }] }\n",
    "agent.yaml": named("desk"),
    "tools.mjs": "export const f = () => 1;\n",
  });
  await run("trust", place);
  expect(await run("trust --show", place)).toMatchObject({ code: 0 });
  writeFileSync(join(place.cwd, "agent.yaml"), named("other"));
  const { code, stdout } = await run("trust --show", place);
  expect(code).toBe(3);
  expect(stdout).toContain("deny f for desk");
});
