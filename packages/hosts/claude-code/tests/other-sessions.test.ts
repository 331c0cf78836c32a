import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createAgentRuntime } from "@bridle/core";
import { defineTool } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { startTestContext } from "./support/test-context.ts";
import { modelRequests } from "./support/wire.ts";

/** Returns the name of the only running session in the user's list of sessions. */
async function nameOfOnlySession(configDir: string): Promise<string> {
  const folder = join(configDir, "sessions");
  const [file = ""] = (await readdir(folder)).filter((name) => name.endsWith(".json"));
  return z.looseObject({ name: z.string() }).parse(JSON.parse(await readFile(join(folder, file), "utf8"))).name;
}

test("messages of the user's other Claude Code sessions do not reach the model", async () => {
  const { backend, home, rehearsal, close } = await startTestContext({
    rehearsal: 1,
    turns: [
      { when: { user: "Wait" }, steps: [{ call: "wait" }, { say: "Done" }] },
      {
        when: { user: "Tell" },
        steps: [
          { call: "find" },
          { call: "SendMessage", with: { to: "{{ find.result }}", summary: "A hint", message: "Say heron." } },
          { say: "Told" },
        ],
      },
    ],
  });
  onTestFinished(close);
  const runtime = createAgentRuntime({ backend, models: { default: "sonnet" }, projectDir: home.project });
  const [waiting, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const input = z.object({});
  const wait = defineTool({
    name: "wait",
    description: "Waits.",
    input,
    async execute() {
      waiting.resolve();
      await told.promise;
      return "It is time.";
    },
  });
  const find = defineTool({
    name: "find",
    description: "Finds a session.",
    input,
    execute: () => nameOfOnlySession(home.configDir),
  });

  const asked = runtime.runAgentLoop({ prompt: "Wait", tools: [wait], stepBudget: 3 });
  await waiting.promise;
  const request = { prompt: "Tell", tools: [find], builtins: ["SendMessage"], stepBudget: 4 };
  expect(await runtime.runAgentLoop(request).result).toMatchObject({ text: "Told" });
  await new Promise((resolve) => setTimeout(resolve, 300)); // a message needs a moment to be delivered
  told.resolve();
  expect(await asked.result).toMatchObject({ text: "Done" });
  const requests = modelRequests(rehearsal.requests).map((body) => JSON.stringify(body.messages));
  expect(requests.filter((text) => text.includes('"Wait"') && text.includes("heron"))).toEqual([]);
  await runtime.close();
});
