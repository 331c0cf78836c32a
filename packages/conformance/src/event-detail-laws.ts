import type { EventDetail, RunEvent } from "@bridle/protocol";
import { expect } from "vitest";
import { type Behaviour, collect, ofType } from "./harness.ts";
import type { ScriptedModel } from "./scripted-model.ts";
import { echo } from "./tools-for-tests.ts";

const value = "A text that is long enough to come in more than one piece. ".repeat(6);
const script: ScriptedModel = [
  {
    steps: [
      {
        think: "Two at once.",
        say: "I look.",
        calls: ["1", "2"].map((n) => ({ tool: "a", input: { value: value + n } })),
      },
      { say: "Both seen." },
    ],
  },
];
const request = { prompt: "go", tools: [echo("a")], stepBudget: 3 };

export function eventDetailLaws(behaviour: Behaviour): void {
  behaviour(
    "names the blocks of texts and calls if it was asked to, so that pieces join to the whole",
    async (start) => {
      const { runtime } = await start(script);
      const events = await collect(runtime.runAgentLoop({ ...request, eventDetails: ["blocks"] }));
      const texts = ofType(events, "text.completed");
      for (const { block, text } of texts) {
        const deltas = ofType(events, "text.delta").filter((delta) => delta.block === block);
        expect(deltas.map(({ text }) => text).join("")).toBe(text);
      }
      const whole = [...texts, ...ofType(events, "reasoning.completed"), ...ofType(events, "tool.requested")];
      expect(whole).toHaveLength(5);
      expect(new Set(whole.map(({ block }) => block ?? "")).size).toBe(5);
      expect(typesOf(events)).not.toContain("input.delta");
    },
  );

  behaviour("streams the input of calls if it was asked to, in pieces that join to the input", async (start) => {
    const { runtime } = await start(script);
    const events = await collect(runtime.runAgentLoop({ ...request, eventDetails: ["tool-input"] }));
    const pieces = ofType(events, "input.delta");
    expect(pieces.length).toBeGreaterThan(2);
    const calls = ofType(events, "tool.requested");
    for (const { block, tool, input } of calls) {
      const own = pieces.filter((piece) => piece.block === block);
      expect(JSON.parse(own.map(({ text }) => text).join(""))).toEqual(input);
      expect(new Set(own.map((piece) => piece.tool))).toEqual(new Set([tool]));
    }
    expect(calls).toHaveLength(2);
    expect(ofType(events, "text.delta").every(({ block }) => block === undefined)).toBe(true);
  });

  behaviour("has the messages of the host if it was asked for them, and no event for them otherwise", async (start) => {
    const { runtime } = await start(script);
    const asked: EventDetail[] = ["host-messages"];
    const session = await runtime.openSession({ tools: request.tools, stepBudget: 3, eventDetails: asked });
    const events = await collect(await session.send("go"));
    expect(JSON.stringify(ofType(events, "host.message"))).toContain("Both seen.");
    const plain = await collect(await session.send("go", { eventDetails: [] }));
    expect(typesOf(plain).filter((type) => type === "host.message" || type === "input.delta")).toEqual([]);
    expect(plain.filter((event) => "block" in event)).toEqual([]);
  });
}

function typesOf(events: readonly RunEvent[]): string[] {
  return events.map(({ type }) => type);
}
