import { defineTool } from "@bridle/protocol";
import { expect, test } from "vitest";
import { z } from "zod";
import { loop, startScript } from "./support/runs.ts";
import { modelRequests } from "./support/wire.ts";

test.each([
  ["letters", "abcdefgh ".repeat(60_000)],
  ["characters of three bytes", "漢字かな交じり文".repeat(60_000)],
])("a result of %s is cut before the host's limit, whatever the tool allows", async (_kind, text) => {
  const { runtime, rehearsal } = await startScript([{ call: "dump" }, { say: "Done" }]);
  const dump = defineTool({
    name: "dump",
    description: "Dumps.",
    input: z.object({}),
    maxResultChars: Number.POSITIVE_INFINITY,
    execute: async () => text,
  });
  const { events, result } = await loop(runtime, { tools: [dump] });
  expect(result).toMatchObject({ stopReason: "natural", toolFailures: 0 });
  const [finished] = events.filter((event) => event.type === "tool.finished");
  expect(finished?.output.length).toBeGreaterThan(45_000);
  expect(JSON.stringify(modelRequests(rehearsal.requests).at(-1))).toContain(
    JSON.stringify(finished?.output).slice(1, -1),
  );
});
