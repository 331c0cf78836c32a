import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runEventSchema } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { createPlace, startCommand } from "../support/command.ts";

const script = `
rehearsal: 1
turns:
  - steps: [{ say: Let me see., stall: true }]
`;

test("bridle events --follow prints the end of a run whose process is killed meanwhile, and then exits", async () => {
  const place = await createPlace();
  onTestFinished(place.remove);
  await writeFile(join(place.project, "script.yaml"), script);
  await writeFile(
    join(place.project, "bridle.yaml"),
    "llm: { provider: { backend: openai-compatible, baseUrl: http://x }, models: { default: m } }\n",
  );
  const run = startCommand(["run", "--rehearse", "script.yaml", "--events", "Where is it?"], place);
  await run.shows("text.delta");
  const following = startCommand(["events", "--follow", "--json"], place);
  await following.shows("text.delta");
  run.child.kill("SIGKILL");
  expect(await following.ended).toBe(0);
  const events = following
    .stdout()
    .trimEnd()
    .split("\n")
    .map((line) => runEventSchema.parse(JSON.parse(line)));
  expect(events.at(-1)).toMatchObject({ type: "run.finished", result: { error: { code: "process_died" } } });
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
});
