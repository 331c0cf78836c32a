import { tmpdir } from "node:os";
import { buildTranscript, defineTool, runEventSchema } from "@bridle/protocol";
import { expect } from "vitest";
import { z } from "zod";
import { type Behaviour, collect, ofType } from "./harness.ts";
import { call } from "./tools-for-tests.ts";

const greeting = [{ steps: [{ say: "Good morning, world." }] }];

export function runLaws(behaviour: Behaviour): void {
  behaviour("works on its own folder if it names one", async (start) => {
    const { runtime } = await start([{ steps: [{ calls: [call("where")] }, { say: "done" }] }]);
    const folders: string[] = [];
    const where = defineTool({
      name: "where",
      description: "Tells the folder.",
      input: z.object({ value: z.string() }),
      execute: async (_input, { projectDir }) => {
        folders.push(projectDir);
        return projectDir;
      },
    });
    const projectDir = tmpdir();
    await runtime.runAgentLoop({ prompt: "go", tools: [where], stepBudget: 3, projectDir }).result;
    expect(folders).toEqual([projectDir]);
  });

  behaviour("answers with the model's text", async (start) => {
    const { runtime } = await start(greeting);
    const { text, model, runId } = await runtime.generateText({ prompt: "hello" });
    expect(text).toBe("Good morning, world.");
    expect(model).toBeTruthy();
    expect(runId).toMatch(/^run_/);
  });

  behaviour("ends exactly once, with run.finished and the run's result", async (start) => {
    const { runtime } = await start(greeting);
    const run = runtime.runAgentLoop({ prompt: "hello", tools: [], stepBudget: 3 });
    const events = await collect(run);
    const [finished, ...more] = ofType(events, "run.finished");
    expect(more).toEqual([]);
    expect(events.at(-1)).toBe(finished);
    expect(finished?.result).toEqual(await run.result);
    expect(finished?.result).toMatchObject({ stopReason: "natural", text: "Good morning, world.", steps: 1 });
  });

  behaviour("numbers its events from 1 without gaps, and every event fits the schema", async (start) => {
    const { runtime } = await start(greeting);
    const events = await collect(runtime.runAgentLoop({ prompt: "hello", tools: [], stepBudget: 3 }));
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    for (const event of events) expect(runEventSchema.parse(JSON.parse(JSON.stringify(event))).type).toBe(event.type);
  });

  behaviour("logs its events in order: started, input, step, text, end of the step, usage, finished", async (start) => {
    const { runtime } = await start(greeting);
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
  });

  behaviour("sends the temperature, or logs a notice that the host has no such setting", async (start) => {
    const { runtime, host } = await start(greeting);
    const run = runtime.runAgentLoop({ prompt: "hello", tools: [], stepBudget: 3, temperature: 0.5 });
    const notices = ofType(await collect(run), "notice").map(({ message }) => message);
    const hasNotice = notices.some((message) => message.includes("temperature"));
    expect([host.sent()[0]?.temperature, hasNotice]).toEqual(hasNotice ? [undefined, true] : [0.5, false]);
    expect((await run.result).stopReason).toBe("natural");
  });

  behaviour("streams text in deltas that join to the completed text", async (start) => {
    const text = "A sentence that is long enough to come in more than one piece. ".repeat(8).trim();
    const { runtime } = await start([{ steps: [{ say: text }] }]);
    const events = await collect(runtime.runAgentLoop({ prompt: "hello", tools: [], stepBudget: 3 }));
    const deltas = ofType(events, "text.delta");
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.map(({ text }) => text).join("")).toBe(text);
    expect(ofType(events, "text.completed").map(({ text }) => text)).toEqual([text]);
  });

  behaviour("delivers characters whole that arrived in two pieces", async (start) => {
    const text = "Ünïcödé, 漢字, Ελληνικά and 👩‍👩‍👧‍👦🏳️‍🌈 arrive unchanged.";
    const { runtime } = await start([{ steps: [{ say: text }] }]);
    const events = await collect(runtime.runAgentLoop({ prompt: "hello", tools: [], stepBudget: 3 }));
    const deltas = ofType(events, "text.delta").map(({ text }) => text);
    expect(deltas.join("")).toBe(text);
    expect(deltas.join("")).not.toContain("\uFFFD");
  });

  behaviour("reports reasoning separately from text", async (start) => {
    const { runtime } = await start([{ steps: [{ think: "Let me see.", say: "Yes." }] }]);
    const run = runtime.runAgentLoop({ prompt: "hello", tools: [], stepBudget: 3 });
    const events = await collect(run);
    expect(ofType(events, "reasoning.completed").map(({ text }) => text)).toEqual(["Let me see."]);
    expect((await run.result).text).toBe("Yes.");
  });

  behaviour("gives every consumer all events from the first, even if it starts to read late", async (start) => {
    const { runtime } = await start(greeting);
    const run = runtime.runAgentLoop({ prompt: "hello", tools: [], stepBudget: 3 });
    const [early, alsoEarly] = await Promise.all([collect(run), collect(run)]);
    const late = await collect(run);
    expect(alsoEarly).toEqual(early);
    expect(late).toEqual(early);
    expect(late[0]?.type).toBe("run.started");
  });

  behaviour("continues when a consumer stops reading", async (start) => {
    const { runtime } = await start(greeting);
    const run = runtime.runAgentLoop({ prompt: "hello", tools: [], stepBudget: 3 });
    for await (const _ of run) break;
    expect((await run.result).stopReason).toBe("natural");
  });

  behaviour("does not mix with another run in parallel", async (start) => {
    const { runtime } = await start([
      { prompt: "first", steps: [{ say: "one" }] },
      { prompt: "second", steps: [{ say: "two" }] },
    ]);
    const answers = await Promise.all(["first", "second"].map((prompt) => runtime.generateText({ prompt })));
    expect(answers.map(({ text }) => text)).toEqual(["one", "two"]);
  });

  behaviour("sends the prompt and the instructions unchanged", async (start) => {
    const { runtime, host } = await start(greeting);
    const prompt = "Read @/etc/hostname, then /context.\n\n  Two spaces, a tab\tand “quotes”.";
    await runtime.generateText({ prompt, system: { static: "You are a clerk.", dynamic: "Today is Tuesday." } });
    const [request] = host.sent();
    expect(request?.texts).toContain(prompt);
    expect(request?.system).toContain("You are a clerk.");
    expect(request?.system).toContain("Today is Tuesday.");
  });

  behaviour("logs its exact input, with a hash and the texts that the host adds", async (start) => {
    const { runtime } = await start(greeting);
    const events = await collect(runtime.runAgentLoop({ prompt: "hello", tools: [], stepBudget: 3 }));
    const [input] = ofType(events, "model.input");
    expect(input?.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(input?.messages).toEqual([{ role: "user", content: [{ type: "text", text: "hello" }] }]);
    expect(Array.isArray(input?.hostAdds)).toBe(true);
  });

  behaviour("can be replayed from its events alone", async (start) => {
    const { runtime } = await start(greeting);
    const events = await collect(runtime.runAgentLoop({ prompt: "hello", tools: [], stepBudget: 3 }));
    const replayed = JSON.parse(JSON.stringify(events)).map((event: unknown) => runEventSchema.parse(event));
    expect(buildTranscript(replayed)).toEqual(JSON.parse(JSON.stringify(buildTranscript(events))));
    expect(buildTranscript(events).entries).toMatchObject([
      { kind: "user" },
      { kind: "text", text: "Good morning, world." },
    ]);
  });

  behaviour("carries its labels and role", async (start) => {
    const { runtime } = await start(greeting);
    const labels = { ticket: "42" };
    const events = await collect(
      runtime.runAgentLoop({ prompt: "hello", tools: [], stepBudget: 3, role: "triage", labels }),
    );
    expect(events[0]).toMatchObject({ type: "run.started", role: "triage", labels });
  });
}
