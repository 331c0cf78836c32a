import { defineTool, type ImagePart } from "@bridle/protocol";
import { expect } from "vitest";
import { z } from "zod";
import { type Behaviour, collect, ofType } from "./harness.ts";
import { call } from "./tools-for-tests.ts";

/** A PNG of 8 x 8 pixels. */
const square = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mM4IWeDFTEMLQkAd2xIgbfXr88AAAAASUVORK5CYII=";
const image: ImagePart = { type: "image", mediaType: "image/png", data: square };

const takePicture = defineTool({
  name: "picture",
  description: "Takes a picture.",
  input: z.object({}).loose(),
  annotations: { readOnly: true },
  execute: async () => ({ markdown: "A square:", images: [image] }),
});

export function imageLaws(behaviour: Behaviour): void {
  behaviour("in a prompt reach the model", async (start) => {
    const { runtime, host } = await start([{ steps: [{ say: "A square." }] }]);
    const text = { type: "text", text: "What is this?" } as const;
    await runtime.generateText({ prompt: [{ role: "user", content: [text, image] }] });
    expect(host.sent()[0]?.images).toEqual([square]);
  });

  behaviour("in a tool result reach the model, and are logged with the result", async (start) => {
    const { runtime, host } = await start([{ steps: [{ calls: [call("picture")] }, { say: "A square." }] }]);
    const run = runtime.runAgentLoop({ prompt: "go", tools: [takePicture], stepBudget: 3 });
    const events = await collect(run);
    expect(await run.result).toMatchObject({ stopReason: "natural", text: "A square.", toolFailures: 0 });
    expect(ofType(events, "tool.finished")[0]).toMatchObject({ output: "A square:", images: [image] });
    expect(host.sent().at(-1)?.images).toEqual([square]);
    expect(host.sent().at(-1)?.texts.join()).toContain("A square:");
  });

  behaviour(
    "in the result of a failed call reach the model, and are known in the next run of a session",
    async (start) => {
      const { runtime, host } = await start([
        { steps: [{ calls: [call("picture")] }, { say: "A broken square." }] },
        { prompt: "again", steps: [{ say: "Still broken." }] },
      ]);
      const broken = async () => ({ markdown: "The page is broken:", images: [image], isError: true });
      const session = await runtime.openSession({ tools: [{ ...takePicture, execute: broken }], stepBudget: 3 });
      const run = await session.send("go");
      const finished = ofType(await collect(run), "tool.finished");
      expect(finished).toMatchObject([{ ok: false, output: "The page is broken:", images: [image] }]);
      expect(await run.result).toMatchObject({ stopReason: "natural", text: "A broken square.", toolFailures: 1 });
      expect(host.sent().at(-1)?.images).toEqual([square]);
      expect(host.sent().at(-1)?.texts.join()).toContain("The page is broken:");
      const { text, error } = await (await session.send("again")).result;
      expect({ text, error }).toEqual({ text: "Still broken.", error: undefined });
      expect(host.sent().at(-1)?.images).toEqual([square]);
    },
  );

  behaviour("in a tool result are still known in the next run of a session", async (start) => {
    const { runtime, host } = await start([
      { steps: [{ calls: [call("picture")] }, { say: "A square." }] },
      { prompt: "again", steps: [{ say: "Still a square." }] },
    ]);
    const session = await runtime.openSession({ tools: [takePicture], stepBudget: 3 });
    await (await session.send("go")).result;
    const { text, error } = await (await session.send("again")).result;
    expect({ text, error }).toEqual({ text: "Still a square.", error: undefined });
    expect(host.sent().at(-1)?.images).toEqual([square]);
  });
}
