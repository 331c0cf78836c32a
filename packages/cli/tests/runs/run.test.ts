import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runResultSchema } from "@bridle/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlace, type Place, startCommand } from "../support/command.ts";

const bin = join(import.meta.dirname, "../../../bridle/bin/bridle.js");

const tools = `
import { defineTool } from "bridle";
import { z } from "zod";

export default [
  defineTool({
    name: "lookup_order",
    description: "Find one order by its number.",
    input: z.object({ id: z.string() }),
    execute: async ({ id }) => "Order " + id + " has shipped.",
  }),
  defineTool({
    name: "huge",
    description: "Two megabytes.",
    input: z.object({}),
    execute: async () => "0123456789abcdef".repeat(131_072),
  }),
];
`;

const script = `
rehearsal: 1
turns:
  - when: { user: order }
    steps:
      - { say: Let me look., call: lookup_order, with: { id: A-1 } }
      - say: "{{ lookup_order.result }} Enjoy."
  - when: { user: huge }
    steps:
      - { call: huge, with: {} }
      - say: That was a lot.
  - when: { user: "/^words/" }
    steps:
      - say: I read all of it.
  - when: { user: object }
    steps:
      - object: { n: 7 }
`;

let place: Place;
beforeEach(async () => {
  place = await createPlace();
  await writeFile(join(place.project, "tools.ts"), tools);
  await writeFile(join(place.project, "script.yaml"), script);
});
afterEach(() => place.remove());

const rehearsed = ["run", "--rehearse", "script.yaml", "--tools", "tools.ts"];

test("a rehearsed run streams its text to standard output and shows its tool calls on standard error", async () => {
  const command = startCommand([...rehearsed, "Where is my order?"], place);
  expect(await command.ended).toBe(0);
  expect(command.stdout()).toBe("Let me look.\nOrder A-1 has shipped. Enjoy.\n");
  expect(command.stderr()).toMatch(/^→ lookup_order \{"id":"A-1"\}\n✓ lookup_order \d+ ms\n$/);
});

test("a script without a matching turn ends the run with exit code 1, and the error lists the turns", async () => {
  const command = startCommand([...rehearsed, "Something else"], place);
  expect(await command.ended).toBe(1);
  expect(command.stderr()).toMatch(
    /^The rehearsal does not match: script\.yaml: no turn matches step 1 after user message 1/,
  );
});

test("a tool result of 2 MB is cut for the model, and the run continues", async () => {
  const command = startCommand([...rehearsed, "--json", "huge"], place);
  expect(await command.ended).toBe(0);
  expect(runResultSchema.parse(JSON.parse(command.stdout()))).toMatchObject({
    text: "That was a lot.",
    toolFailures: 0,
  });
});

function runOnInput(input: string) {
  return spawnSync(process.execPath, [bin, ...rehearsed, "-"], {
    cwd: place.project,
    env: place.environment,
    input,
    encoding: "utf8",
  });
}

test("a long prompt is read whole from standard input", () => {
  const { status, stdout } = runOnInput("words ".repeat(100_000));
  expect({ status, stdout }).toEqual({ status: 0, stdout: "I read all of it.\n" });
});

test("a prompt that is too long for the model ends with one sentence and exit code 1", () => {
  const { status, stderr } = runOnInput("words ".repeat(900_000));
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringMatching(/^The prompt is too long for the model: .+ Shorten it, or send less context\.\n$/),
  });
});

test("an object is returned through the real host's structured output", async () => {
  await writeFile(join(place.project, "n.json"), '{ "type": "object", "properties": { "n": { "type": "number" } } }');
  const command = startCommand(["run", "--rehearse", "script.yaml", "--schema", "n.json", "an object"], place);
  expect(await command.ended).toBe(0);
  expect(JSON.parse(command.stdout())).toEqual({ n: 7 });
});

test("a reader that closes the pipe ends the command without a message", () => {
  const line = `"${process.execPath}" "${bin}" ${rehearsed.join(" ")} --events order | head -n 1`;
  const { stdout, stderr } = spawnSync("sh", ["-c", line], {
    cwd: place.project,
    env: place.environment,
    encoding: "utf8",
  });
  expect(JSON.parse(stdout)).toMatchObject({ seq: 1, type: "run.started" });
  expect(stderr).toBe("");
});

test("an unknown model ends with exit code 3 and the nearest names, before anything is started", async () => {
  const command = startCommand(["run", "--model", "sonet", "Hello"], place);
  expect(await command.ended).toBe(3);
  expect(command.stderr()).toMatch(/^The model "sonet" cannot be used: .* Did you mean sonnet/);
});
