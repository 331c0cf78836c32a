import { StructuredOutputError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { z } from "zod";
import { startScript } from "./support/runs.ts";
import { modelRequests } from "./support/wire.ts";

test.each([0, 1, 2])(
  "with %i retries, the host requests an invalid object that many more times",
  async (schemaRetries) => {
    const { runtime, rehearsal } = await startScript([{ object: { n: "seven" }, forever: true }]);
    const asked = runtime.generateObject({ prompt: "Go", schema: z.object({ n: z.number() }), schemaRetries });
    await expect(asked).rejects.toBeInstanceOf(StructuredOutputError);
    expect(modelRequests(rehearsal.requests)).toHaveLength(1 + schemaRetries);
  },
);
