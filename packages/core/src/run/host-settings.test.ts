import { expect, test } from "vitest";
import { createTestBackend, natural, step } from "../runtime/runs-for-tests.ts";
import { createAgentRuntime } from "../runtime/runtime.ts";

/** Plays two runs of a session on a backend with these settings, and returns the settings that it received for each. */
async function play(known: readonly string[] | undefined, hostSettings: object) {
  const seen: unknown[] = [];
  const talk = (host: Parameters<Parameters<typeof createTestBackend>[0]>[0]) => {
    step(host, "Yes.");
    return natural;
  };
  const base = createTestBackend(talk);
  const backend = {
    ...base,
    features: { ...base.features, ...(known && { hostSettings: known }) },
    open: (...given: Parameters<typeof base.open>) => {
      seen.push(given[0].hostSettings);
      return base.open(...given);
    },
  };
  const runtime = createAgentRuntime({ backend, models: { default: "m" } });
  try {
    const session = await runtime.openSession({ tools: [], stepBudget: 2, hostSettings: { ...hostSettings } });
    for (const prompt of ["One?", "Two?"]) await (await session.send(prompt)).result;
    await runtime.generateText({ prompt: "And?" });
    return seen;
  } finally {
    await runtime.close();
  }
}

test("host settings are sent with every run of a session, and with no other kind of request", async () => {
  expect(await play(["effort"], { effort: "low" })).toEqual([{ effort: "low" }, { effort: "low" }, undefined]);
});

test("an unknown host setting is refused with the nearest name", async () => {
  await expect(play(["effort"], { efort: "low" })).rejects.toThrow(/"efort".*Did you mean "effort"\?/);
});

test("a backend without host settings refuses every setting", async () => {
  await expect(play(undefined, { effort: "low" })).rejects.toThrow(/backend setting named "effort".*It has none\./);
});
