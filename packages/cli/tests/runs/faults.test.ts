import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runEventSchema, runResultSchema } from "@bridle/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlace, type Place, startCommand, untilGone } from "../support/command.ts";

const script = `
rehearsal: 1
turns:
  - steps:
      - { say: Let me look., call: tool, with: {} }
      - { say: And wait., call: wait, with: {} }
      - say: All is well.
`;

const module = (body: string, top = "") => `import { defineTool } from "bridle";
import { z } from "zod";
const input = z.object({});
const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const tool = (name: string, execute: (input: object, context: { signal: AbortSignal }) => Promise<string>) =>
  defineTool({ name, description: "A tool.", input, execute });
const fail = () => { throw new Error("boom."); };
${top}
export default [
  tool("tool", async (_input, { signal }) => { ${body}; return "done"; }),
  tool("wait", async () => { await after(60_000); return "done"; }),
];
`;

let place: Place;
let temporary = "";
beforeEach(async () => {
  place = await createPlace();
  temporary = join(place.home, "tmp");
  await mkdir(temporary);
  await writeFile(join(place.project, "script.yaml"), script);
});
afterEach(() => place.remove());

async function runTool(body: string, words: readonly string[] = [], top = "") {
  await writeFile(join(place.project, "tools.ts"), module(body, top));
  const command = startCommand(["run", "--rehearse", "script.yaml", "--tools", "tools.ts", ...words, "Go"], place, {
    TMPDIR: temporary,
  });
  return { code: await command.ended, stdout: command.stdout(), stderr: command.stderr() };
}

const remedy = "Await every promise of the tool, and return or throw from its call.";
const faults: [what: string, body: string, reason: string][] = [
  ["throws later", "setTimeout(fail, 10)", "boom (tools.ts:7:28)"],
  ["leaves an unhandled rejection", "void Promise.reject(new Error('late'))", "late (tools.ts:10:68)"],
  ["rejects with a text", "void Promise.reject('late')", '"late"'],
  ["calls process.exit()", "process.exit()", "it called process.exit(0) (tools.ts:10:56)"],
  [
    "calls process.exit() and catches the error",
    "try { process.exit(7) } catch {}",
    "it called process.exit(7) (tools.ts:10:62)",
  ],
];

test.each(faults)(
  "a tool that %s ends the run with a message and exit code 1, and leaves no files",
  async (...fault) => {
    const [, body, reason] = fault;
    const { code, stdout, stderr } = await runTool(body, ["--events"]);
    expect(code).toBe(1);
    expect(stderr).toBe(`A tool failed outside its call: ${reason}. ${remedy}\n`);
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => runEventSchema.parse(JSON.parse(line)));
    expect(events.at(-1)).toMatchObject({
      type: "run.finished",
      result: { stopReason: "stopped", error: { message: "The run was stopped: a tool failed outside its call." } },
    });
    expect((await readdir(temporary)).filter((name) => name.startsWith("bridle"))).toEqual([]);
    await untilGone(place, 5000);
  },
);

test("a listener that throws when the run is stopped does not change the end of the run", async () => {
  const { code, stdout } = await runTool("signal.addEventListener('abort', fail); await after(60_000)", [
    "--json",
    "--timeout",
    "4",
  ]);
  expect(code).toBe(1);
  expect(runResultSchema.parse(JSON.parse(stdout)).stopReason).toBe("error");
});

test("output of a tool goes to standard error, so that standard output is only the result", async () => {
  const print = "console.log('from the log'); process.stdout.write('written\\n')";
  await writeFile(join(place.project, "script.yaml"), script.replace("call: wait", "call: tool"));
  for (const words of [["--json"], ["--events"], []]) {
    const { code, stdout, stderr } = await runTool(print, words, "console.log('loaded');");
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/from the log|written|loaded/);
    expect(stderr).toMatch(/^loaded\n.*from the log\nwritten\n/s);
  }
});

const loading: [what: string, top: string, sentence: string][] = [
  [
    "never settles",
    "await new Promise(() => {});",
    "tools.ts: the module never finishes loading: its top level awaits a promise that never settles. Await it in a tool, or remove it.\n",
  ],
  [
    "calls process.exit()",
    "process.exit(0);",
    "tools.ts:8:9: the module threw while it was loaded: it called process.exit(0). Correct it, and run again.\n",
  ],
  [
    "throws later",
    "setTimeout(fail, 10); await after(60_000);",
    "tools.ts:7:28: the module threw while it was loaded: boom. Correct it, and run again.\n",
  ],
];

test.each(loading)("a tools file that %s is refused with exit code 3", async (_what, top, sentence) => {
  expect(await runTool("", [], top)).toEqual({ code: 3, stdout: "", stderr: sentence });
});
