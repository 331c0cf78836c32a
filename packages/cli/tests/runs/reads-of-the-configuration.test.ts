/** Tests that each command reads bridle.yaml only once. A command that reads it twice could use two versions of the file. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defineScript, startRehearsal } from "@bridle/rehearsal";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPlace, type Place, startCommand } from "../support/command.ts";

const script = defineScript({ rehearsal: 1, turns: [{ steps: [{ say: "You are welcome." }] }] });
const agent = `
name: desk
description: Answers questions about orders.
instructions: { inline: Help. }
tools: [{ type: documents, name: handbook, source: docs }]
test_cases:
  - name: thanks
    input: Thank you.
    evaluations: [{ type: standard, metric: contains, value: welcome }]
`;

let place: Place;
let close: () => Promise<void>;
beforeAll(async () => {
  place = await createPlace();
  const model = await startRehearsal({ script });
  close = () => model.close();
  const write = (name: string, text: string) => writeFile(join(place.project, name), text);
  const provider = `{ backend: anthropic, apiKey: "\${MODEL_KEY}", baseUrl: "${model.url}" }`;
  await write("bridle.yaml", `llm:\n  provider: ${provider}\n  models: { default: first-model }\n`);
  await write("agent.yaml", agent);
  await write("rehearsal.yaml", "rehearsal: 1\nturns:\n  - steps: [{ say: You are welcome. }]\n");
  await mkdir(join(place.project, "docs"));
  await write("docs/returns.md", "# Returns\n\nSend it back.\n");
});
afterAll(async () => {
  await close();
  await place.remove();
});

async function readsOf(words: readonly string[], input?: string) {
  const log = join(place.home, "reads");
  await rm(log, { force: true });
  const command = startCommand(
    words,
    place,
    {
      MODEL_KEY: "k",
      COUNTED_FILE: "bridle.yaml",
      COUNTED_LOG: log,
      NODE_OPTIONS: `--import=${join(import.meta.dirname, "../support/count-reads.ts")}`,
    },
    input,
  );
  const code = await command.ended;
  const reads = (await readFile(log, "utf8").catch(() => "")).split("\n").filter((line) => line !== "");
  return { code, reads: reads.length, output: command.stdout() + command.stderr() };
}

// The order matters: the commands for sessions need the session of the second run.
test.each([
  ["run Hello"],
  ["run --agent agent.yaml --session s Hello"],
  ["run --rehearse rehearsal.yaml Hello"],
  ["test agent.yaml"],
  ["status"],
  ["doctor"],
  ["models"],
  ["sessions list"],
  ["sessions show s"],
  ["sessions fork s"],
  ["approvals list"],
  ["agent validate agent.yaml"],
  ["agent show agent.yaml"],
  ["documents index"],
  ["documents status"],
  ["documents search returns"],
  ["bundle --out support.tar.gz"],
])("bridle %s reads bridle.yaml once", async (words) => {
  expect(await readsOf(words.split(" "))).toMatchObject({ code: 0, reads: 1 });
});

test("bridle permissions list needs no bridle.yaml and does not read it", async () => {
  expect(await readsOf(["permissions", "list"])).toMatchObject({ code: 0, reads: 0 });
});

test("bridle chat reads bridle.yaml once for several messages", async () => {
  expect(await readsOf(["chat"], "Hello\nThank you.\n")).toMatchObject({ code: 0, reads: 1 });
});
