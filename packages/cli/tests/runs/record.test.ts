import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildTranscript, type RunEvent, runEventSchema } from "@bridle/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlace, type Place, startCommand } from "../support/command.ts";

const token = `sk-ant-api03-${"aB3d".repeat(10)}`;

const tools = `
import { defineTool } from "bridle";
import { z } from "zod";

export default [
  defineTool({
    name: "lookup_order",
    description: "Find one order by its number.",
    input: z.object({ id: z.string(), key: z.string().optional() }),
    execute: async ({ id }) => "Order " + id + " has shipped.",
  }),
];
`;

const script = `
rehearsal: 1
turns:
  - when: { user: stall }
    steps: [{ say: Let me see., stall: true }]
  - steps:
      - { say: Let me look., call: lookup_order, with: { id: A-1, key: "${token}" } }
      - say: "{{ lookup_order.result }} Enjoy."
`;

let place: Place;
beforeEach(async () => {
  place = await createPlace();
  await writeFile(join(place.project, "tools.ts"), tools);
  await writeFile(join(place.project, "script.yaml"), script);
});
afterEach(() => place.remove());

const start = (...words: string[]) => startCommand([...words, "--tools", "tools.ts"], place);
const record = (...words: string[]) => start("record", "--rehearse", "script.yaml", "--out", "cassette.yaml", ...words);
const cassette = () => readFile(join(place.project, "cassette.yaml"), "utf8");

function entriesOf(lines: string) {
  const events: RunEvent[] = lines
    .trim()
    .split("\n")
    .map((line) => runEventSchema.parse(JSON.parse(line)));
  return buildTranscript(events).entries.map(({ ...entry }) => {
    if (entry.kind === "tool")
      Object.assign(entry, { callId: "", durationMs: 0, input: { ...Object(entry.input), key: "" } });
    return entry;
  });
}

test("bridle run plays the cassette of bridle record with the same transcript, without the key from the prompt and a call", async () => {
  const prompt = `Where is order A-1? My key is ${token}.`;
  const recorded = record("--events", prompt);
  expect(await recorded.ended).toBe(0);
  expect(recorded.stderr()).toBe("Recorded to cassette.yaml (1 turn).\n");
  expect(await cassette()).not.toContain(token);
  const played = start("run", "--rehearse", "cassette.yaml", "--events", prompt);
  expect(await played.ended).toBe(0);
  expect(entriesOf(played.stdout())).toEqual(entriesOf(recorded.stdout()));
  expect(played.stdout()).toContain("Order A-1 has shipped. Enjoy.");
});

test("bridle record leaves a cassette if it is interrupted, and ends like bridle run", async () => {
  const command = record("--events", "stall");
  await command.shows('"see."');
  command.child.kill("SIGTERM");
  expect(await command.ended).toBe(143);
  expect(command.stderr()).toMatch(
    /^The run was stopped: interrupted by SIGTERM\.\n.*\nRecorded to cassette\.yaml \(1 turn\)\.\n$/,
  );
  expect(await cassette()).toContain("say: Let me see.\n");
});

test("--json and --events keep standard output for the result", async () => {
  const command = record("--json", "Where is order A-1?");
  expect(await command.ended).toBe(0);
  expect(JSON.parse(command.stdout())).toMatchObject({ stopReason: "natural", steps: 2 });
});
