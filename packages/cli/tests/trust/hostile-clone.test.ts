/**
 * Tests that no command starts a program from an untrusted folder. Each command of the registry runs as a user would run it, in a folder
 * that uses every known attack. Every program that starts must be on a short list.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how a file refers to the environment
import { realpathSync } from "node:fs";
import { devNull } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isSoak, sampleOf } from "../../../../tests/support/soak.ts";
import { commands } from "../../src/main/commands.ts";
import { type Command, finishCommand, startCommand } from "../support/command.ts";
import { commandForms as forms, waitingForms as waiting } from "../support/command-forms.ts";
import { HostileClone, type StartedProgram } from "./hostile-clone.ts";

const repository = realpathSync(join(import.meta.dirname, "../../../.."));

const maxMs = 120_000;
/** The time limit for all commands in one place, on a busy machine. */
const testMs = 900_000;

const script = { "s.yaml": "rehearsal: 1\nturns: [{ steps: [{ say: Hello. }] }]\n" };
const cases = "test_cases: [{ name: one, input: Hi }]\n";
const knowledge = {
  "context/memory.yaml": "facts: []\n",
  "context/wiki/orders.md": "# Orders\n\nOrders are paid.\n",
  "docs/a.md": "# Orders\n\nAn order is paid.\n",
};

/** Nothing here has an effect, so no command asks about trust, and each command does its work. */
const quiet = {
  ...script,
  ...knowledge,
  "bridle.yaml": "llm: { models: { default: sonnet } }\n",
  "agent.yaml": `name: desk\ninstructions: { inline: Be kind. }\n${cases}`,
  "claude.yaml": `name: desk\ninstructions: { inline: Be kind. }\n${cases}`,
};

/** Files in which everything that a file can name would run a program. */
const loud = {
  ...script,
  ...knowledge,
  "bridle.yaml":
    "context: { commit: true, connections: { shop: { type: sqlite, file: shop.db } } }\nembeddings: { backend: local, model: m }\n",
  ".env": "NODE_OPTIONS=--import=./evil.mjs\nGIT_SSH_COMMAND=EVIL\nBROWSER=EVIL\nBRIDLE_TRUST=all\n",
  "evil.mjs": 'import { execSync } from "node:child_process"; execSync("MARK(module)"); export const f = () => 1;\n',
  "evil.py": 'import os\nos.system("MARK(python)")\ndef f(ctx): return 1\n',
  "answer.json": '{ "type": "object" }\n',
  "node_modules/@huggingface/transformers/package.json":
    '{ "name": "@huggingface/transformers", "main": "index.mjs", "type": "module" }',
  "node_modules/@huggingface/transformers/index.mjs":
    'import { execSync } from "node:child_process"; execSync("MARK(package)");\n',
  "agent.yaml": `name: desk
instructions: { inline: Be kind. }
response_format: answer.json
tools:
  - { type: mcp, name: m, command: sh, args: ["-c", "MARK(server)"] }
  - { type: function, name: f, file: evil.mjs, function: f }
  - { type: function, name: p, file: evil.py, function: f }
  - { type: documents, name: d, source: docs, search_mode: semantic }
  - { type: acp, name: other, description: Codes., command: EVIL }
claude: { setting_sources: [project] }
evaluations: { metrics: [{ type: code, name: g, file: evil.mjs, function: f }, { type: code, name: h, file: evil.py, function: f }] }
${cases}`,
  "claude.yaml": `name: desk\ninstructions: { inline: Be kind. }\nclaude: { setting_sources: [project] }\n${cases}`,
};

/** Whether a program may start. The comments name the reasons. */
function isAllowed({ file, args, cwd, gitDir }: StartedProgram, { top }: HostileClone): boolean {
  const isOwn = (path: string) => path.startsWith(`${repository}/`);
  if (file === process.execPath) return args.some(isOwn); // readers of documents and databases, in a process with limits
  if (file === "/bin/sh") return args[1]?.includes("read -r action pid start mark") === true; // ends our own processes
  if (file === "git" && gitDir === devNull) return true; // so that a host that starts git finds no repository
  if (file === "git") return gitDir?.startsWith(join(top, "tmp", "bridle-git-")) === true; // configured by Bridle
  if (file === "xdg-open") return !cwd.startsWith(join(top, "clone")); // opens the page of the command, outside of the folder
  return isOwn(file); // a host that is installed with Bridle
}

type Place = keyof HostileClone["places"];

let clones: Readonly<Record<"quiet" | "loud", HostileClone>>;
beforeAll(() => {
  clones = { quiet: new HostileClone(quiet), loud: new HostileClone(loud) };
});
afterAll(() => {
  for (const clone of Object.values(clones)) clone.remove();
});

async function run(words: string, clone: HostileClone, place: Place): Promise<number | string> {
  const { home, places } = clone;
  const environment = { ...clone.environment() };
  const configDir = join(home, ".claude");
  const command = startCommand(words.split(" "), {
    home,
    configDir,
    project: places[place],
    environment,
    remove: async () => {},
  });
  const timer = setTimeout(() => command.child.kill("SIGKILL"), maxMs);
  if (waiting.test(words)) void endOnceItWaits(command);
  const { code } = await finishCommand(command);
  clearTimeout(timer);
  return code;
}

async function endOnceItWaits(command: Command): Promise<void> {
  await Promise.race([command.shows("http://").catch(() => {}), command.ended]);
  command.child.kill("SIGTERM");
}

/** Returns the commands and forms that started a forbidden program or did not end, with the programs that they started. */
async function findBreaches(all: readonly string[], clone: HostileClone, place: Place): Promise<string[]> {
  const left = [...all];
  const late: string[] = [];
  const work = async () => {
    for (let words = left.shift(); words !== undefined; words = left.shift()) {
      if ((await run(words, clone, place)) === "SIGKILL") late.push(`${words} did not end`);
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
  const started = clone.takeStarted().filter((program) => !isAllowed(program, clone));
  return [
    ...clone.ran().map((name) => `a program that was planted ran: ${name}`),
    ...started.map(({ file, args, cwd }) => `${file} ${args.join(" ").slice(0, 200)} in ${cwd}`),
    ...late,
  ];
}

const all = Object.values(forms).flat();
const deep = all.filter((words) => /^(?:test|context|memory|run|serve|doctor) ?/.test(words));

test("every command of the registry has a form that runs in the hostile folder", () => {
  expect(Object.keys(forms).sort()).toEqual(commands.map(({ name }) => name).sort());
  for (const [name, words] of Object.entries(forms)) for (const each of words) expect(each.startsWith(name)).toBe(true);
});

test("the programs that were planted run if git looks into the folder, so the law can fail", async () => {
  const control = new HostileClone(quiet);
  const { execFileSync } = await import("node:child_process");
  execFileSync("git", ["status"], { cwd: control.places.root, env: control.environment(), stdio: "ignore" });
  expect(control.ran()).toEqual(expect.arrayContaining(["include-filter"]));
  expect(control.takeStarted().filter((program) => !isAllowed(program, control))).not.toEqual([]);
  control.remove();
});

test(
  "no command starts a program of a folder without effects, which is a bare repository as plain files",
  async () => {
    expect(await findBreaches(all, clones.quiet, "bare")).toEqual([]);
  },
  testMs,
);

test("a rehearsed test run in the folder without effects is not refused, so it looks into git", async () => {
  for (const place of ["root", "worktree"] as const) {
    expect(await run("test --rehearse s.yaml", clones.quiet, place)).toBe(1); // the case was run and judged; a refusal would be 3
  }
});

test(
  "no command starts a program of a folder whose files name many",
  async () => {
    expect(await findBreaches(sampleOf(all, 24), clones.loud, "root")).toEqual([]);
  },
  testMs,
);

test.each(["root", "worktree", "archive"] as const)(
  "no command that looks into git starts one in the %s",
  async (place) => {
    expect(await findBreaches(isSoak ? all : deep.slice(0, 6), clones.quiet, place)).toEqual([]);
  },
);

test.runIf(isSoak).each(["bare", "worktree", "archive"] as const)(
  "nor where many are named, in the %s",
  async (place) => {
    expect(await findBreaches(all, clones.loud, place)).toEqual([]);
  },
);
