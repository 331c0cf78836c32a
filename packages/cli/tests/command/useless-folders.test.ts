/**
 * Tests folders such as /proc, which reject new folders with the error that the folder does not exist. Node's functions for making folders
 * never return there, so a variable that names such a folder must not hang any command.
 */
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sampleOf } from "../../../../tests/support/soak.ts";
import { type Command, createPlace, finishCommand, type Place, startCommand } from "../support/command.ts";
import { commandForms, waitingForms } from "../support/command-forms.ts";

const files = {
  "s.yaml": "rehearsal: 1\nturns: [{ steps: [{ say: Hello. }] }]\n",
  "bridle.yaml": "llm: { models: { default: sonnet } }\n",
  "agent.yaml": `name: desk\ninstructions: { inline: Be kind. }\nmodel: { provider: openai, name: m }\ntest_cases: [{ name: one, input: Hi }]\n`,
  "claude.yaml": "name: desk\ninstructions: { inline: Be kind. }\n",
  "context/memory.yaml": "facts: []\n",
  "context/wiki/orders.md": "# Orders\n\nOrders are paid.\n",
  "docs/a.md": "# Orders\n\nAn order is paid.\n",
};
const maxMs = 120_000;
/** The time limit for all commands, on a busy machine. */
const testMs = 900_000;
const all = Object.values(commandForms).flat();

async function createProject(): Promise<Place> {
  const place = await createPlace();
  onTestFinished(() => place.remove());
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(place.project, name)), { recursive: true });
    await writeFile(join(place.project, name), text);
  }
  // without the compiled code that tests share, so that Node looks for its cache in TMPDIR, as for users
  const { NODE_COMPILE_CACHE: _, CLAUDE_CONFIG_DIR: __, ...environment } = place.environment;
  return { ...place, environment };
}

async function runForm(words: string, place: Place, variables: Record<string, string>): Promise<readonly string[]> {
  const command = startCommand(words.split(" "), place, variables);
  const timer = setTimeout(() => command.child.kill("SIGKILL"), maxMs);
  if (waitingForms.test(words)) void endOnceItWaits(command);
  const { code, stdout, stderr } = await finishCommand(command);
  clearTimeout(timer);
  if (typeof code !== "number") return [`${words} did not end (${code})`];
  const shown = stdout + stderr;
  if (/\n\s+at .+:\d+:\d+/.test(shown)) return [`${words} ended with a stack: ${shown.slice(0, 800)}`];
  return code !== 0 && shown.trim() === "" ? [`${words} ended with ${code} and no sentence`] : [];
}

async function endOnceItWaits(command: Command): Promise<void> {
  await Promise.race([command.shows("http://").catch(() => {}), command.ended]);
  command.child.kill("SIGTERM");
}

async function findFaults(forms: readonly string[], variables: Record<string, string>): Promise<readonly string[]> {
  const place = await createProject();
  const left = [...forms];
  const faults: string[] = [];
  const work = async () => {
    for (let words = left.shift(); words !== undefined; words = left.shift())
      faults.push(...(await runForm(words, place, variables)));
  };
  await Promise.all([work(), work(), work(), work()]);
  return faults;
}

const places = [{ TMPDIR: "/proc" }, { HOME: "/proc/x" }] satisfies readonly Record<string, string>[];

for (const variables of places) {
  const shown = Object.entries(variables).map((pair) => pair.join("="));
  test.skipIf(!existsSync("/proc/self"))(
    `with ${shown}, every command ends with its result or a sentence`,
    async () => {
      expect(await findFaults(sampleOf(all, 10), variables)).toEqual([]);
    },
    testMs,
  );
}

test.skipIf(!existsSync("/proc/self"))("with TMPDIR=/proc, a run says which variable to set", async () => {
  const place = await createProject();
  const { code, stderr } = await finishCommand(
    startCommand(["run", "--agent", "claude.yaml", "--rehearse", "s.yaml", "Hi"], place, { TMPDIR: "/proc" }),
  );
  expect(stderr).toContain("cannot be created in /proc (ENOENT). Set TMPDIR to a writable folder.");
  expect(code).toBe(3);
});

test.skipIf(!existsSync("/proc/self"))("with HOME=/proc/x, an addition to an MCP client names the folder", async () => {
  const place = await createProject();
  const words = "mcp install agent.yaml --client cursor --scope project --yes".split(" ");
  const { code, stderr } = await finishCommand(startCommand(words, place, { HOME: "/proc/x" }));
  expect(stderr).toContain("The folder /proc/x cannot be created (ENOENT). Make the folder above it writable");
  expect(code).toBe(3);
});
