import { buildTranscript, runEventSchema } from "@bridle/protocol";
import { expect } from "vitest";
import { type Behaviour, collect, ofType } from "./harness.ts";

const greeting = [{ steps: [{ say: "Good morning, world." }] }];

export function runLaws(behaviour: Behaviour): void {
  behaviour("answers with the model's text", async (stage) => {
    const { runtime } = await stage(greeting);
    const { text, model, runId } = await runtime.generateText({ prompt: "hello" });
    expect(text).toBe("Good morning, world.");
    expect(model).toBeTruthy();
    expect(runId).toMatch(/^run_/);
  });

  behaviour("ends exactly once, with run.finished, whose result is the run's result", async (stage) => {
    const { runtime } = await stage(greeting);
    const run = runtime.runAgentLoop({ prompt: "hello", tools: [], stepBudget: 3 });
    const events = await collect(run);
    const [finished, ...more] = ofType(events, "run.finished");
    expect(more).toEqual([]);
    expect(events.at(-1)).toBe(finished);
    expect(finished?.result).toBe(await run.result);
    expect(finished?.result).toMatchObject({ stopReason: "natural", text: "Good morning, world.", steps: 1 });
  });

  behaviour("numbers its events from 1 without a gap, and every one fits the schema", async (stage) => {
    const { runtime } = await stage(greeting);
    const events = await collect(runtime.runAgentLoop({ prompt: "hello", tools: [], stepBudget: 3 }));
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    for (const event of events) expect(runEventSchema.parse(JSON.parse(JSON.stringify(event))).type).toBe(event.type);
  });

  behaviour(
    "tells what happens in one order: started, input, step, text, step's end, usage, finished",
    async (stage) => {
      const { runtime } = await stage(greeting);
      const events = await collect(runtime.runAgentLoop({ prompt: "hello", tools: [], stepBudget: 3 }));
      const types = events.map(({ type }) => type).filter((type) => type !== "text.delta" && type !== "notice");
      expect(types).toEqual([
        "run.started",
        "model.input",
        "step.started",
        "text.completed",
        "step.finished",
        "usage.reported",
        "run.finished",
      ]);
    },
  );

  behaviour("sends how freely the model may choose its words, or tells that it cannot", async (stage) => {
    const { runtime, host } = await stage(greeting);
    const run = runtime.runAgentLoop({ prompt: "hello", tools: [], stepBudget: 3, temperature: 0.5 });
    const notices = ofType(await collect(run), "notice").map(({ message }) => message);
    const wasTold = notices.some((message) => message.includes("temperature"));
    expect([host.sent()[0]?.temperature, wasTold]).toEqual(wasTold ? [undefined, true] : [0.5, false]);
    expect((await run.result).stopReason).toBe("natural");
  });

  behaviour("streams text in deltas that join to the completed text", async (stage) => {
    const said = "A sentence that is long enough to come in more than one piece. ".repeat(8).trim();
    const { runtime } = await stage([{ steps: [{ say: said }] }]);
    const events = await collect(runtime.runAgentLoop({ prompt: "hello", tools: [], stepBudget: 3 }));
    const deltas = ofType(events, "text.delta");
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.map(({ text }) => text).join("")).toBe(said);
    expect(ofType(events, "text.completed").map(({ text }) => text)).toEqual([said]);
  });

  behaviour("delivers characters whole that were cut in two on the way", async (stage) => {
    const said = "Ünïcödé, 漢字, Ελληνικά and 👩‍👩‍👧‍👦🏳️‍🌈 arrive as they were said.";
    const { runtime } = await stage([{ steps: [{ say: said }] }]);
    const events = await collect(runtime.runAgentLoop({ prompt: "hello", tools: [], stepBudget: 3 }));
    const deltas = ofType(events, "text.delta").map(({ text }) => text);
    expect(deltas.join("")).toBe(said);
    expect(deltas.join("")).not.toContain("\uFFFD");
  });

  behaviour("shows reasoning apart from text", async (stage) => {
    const { runtime } = await stage([{ steps: [{ think: "Let me see.", say: "Yes." }] }]);
    const run = runtime.runAgentLoop({ prompt: "hello", tools: [], stepBudget: 3 });
    const events = await collect(run);
    expect(ofType(events, "reasoning.completed").map(({ text }) => text)).toEqual(["Let me see."]);
    expect((await run.result).text).toBe("Yes.");
  });

  behaviour("shows every consumer the whole run from its first event, whenever it begins to read", async (stage) => {
    const { runtime } = await stage(greeting);
    const run = runtime.runAgentLoop({ prompt: "hello", tools: [], stepBudget: 3 });
    const [early, alsoEarly] = await Promise.all([collect(run), collect(run)]);
    const late = await collect(run);
    expect(alsoEarly).toEqual(early);
    expect(late).toEqual(early);
    expect(late[0]?.type).toBe("run.started");
  });

  behaviour("goes on when a consumer leaves", async (stage) => {
    const { runtime } = await stage(greeting);
    const run = runtime.runAgentLoop({ prompt: "hello", tools: [], stepBudget: 3 });
    for await (const _ of run) break;
    expect((await run.result).stopReason).toBe("natural");
  });

  behaviour("does not mix with another run at the same time", async (stage) => {
    const { runtime } = await stage([
      { prompt: "first", steps: [{ say: "one" }] },
      { prompt: "second", steps: [{ say: "two" }] },
    ]);
    const answers = await Promise.all(["first", "second"].map((prompt) => runtime.generateText({ prompt })));
    expect(answers.map(({ text }) => text)).toEqual(["one", "two"]);
  });

  behaviour("sends the prompt and the instructions exactly as they were given", async (stage) => {
    const { runtime, host } = await stage(greeting);
    const prompt = "Read @/etc/hostname, then /context.\n\n  Two spaces, a tab\tand “quotes”.";
    await runtime.generateText({ prompt, system: { static: "You are a clerk.", dynamic: "Today is Tuesday." } });
    const [request] = host.sent();
    expect(request?.texts).toContain(prompt);
    expect(request?.system).toContain("You are a clerk.");
    expect(request?.system).toContain("Today is Tuesday.");
  });

  behaviour("puts its exact input on record, with a hash and what the host adds", async (stage) => {
    const { runtime } = await stage(greeting);
    const events = await collect(runtime.runAgentLoop({ prompt: "hello", tools: [], stepBudget: 3 }));
    const [input] = ofType(events, "model.input");
    expect(input?.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(input?.messages).toEqual([{ role: "user", content: [{ type: "text", text: "hello" }] }]);
    expect(Array.isArray(input?.hostAdds)).toBe(true);
  });

  behaviour("can be told again from its events alone", async (stage) => {
    const { runtime } = await stage(greeting);
    const events = await collect(runtime.runAgentLoop({ prompt: "hello", tools: [], stepBudget: 3 }));
    const replayed = JSON.parse(JSON.stringify(events)).map((event: unknown) => runEventSchema.parse(event));
    expect(buildTranscript(replayed)).toEqual(JSON.parse(JSON.stringify(buildTranscript(events))));
    expect(buildTranscript(events).entries).toMatchObject([
      { kind: "user" },
      { kind: "text", text: "Good morning, world." },
    ]);
  });

  behaviour("carries its labels and role", async (stage) => {
    const { runtime } = await stage(greeting);
    const labels = { ticket: "42" };
    const events = await collect(
      runtime.runAgentLoop({ prompt: "hello", tools: [], stepBudget: 3, role: "triage", labels }),
    );
    expect(events[0]).toMatchObject({ type: "run.started", role: "triage", labels });
  });
}
