import { createAgentRuntime } from "@bridle/core";
import { type AgentRuntime, defineTool } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { comparable } from "./support/comparable.ts";
import { type HostTestContext, startTestContext } from "./support/test-context.ts";

const lookUp = defineTool({
  name: "look_up",
  description: "Looks a word up.",
  input: z.object({ word: z.string() }),
  annotations: { readOnly: true },
  execute: async ({ word }) => `Meaning of ${word}: ünïcødé 漢字 🐎`,
});
const schema = z.object({ word: z.string().refine((word) => word !== "wrong", "Must not be wrong.") });
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const csv = (text: string) => Buffer.from(`größe;${text}`).toString("base64");

const script = {
  rehearsal: 1,
  turns: [
    {
      when: { user: "look up" },
      steps: [
        {
          think: "Two words.",
          calls: [
            { call: "look_up", with: { word: "horse" } },
            { call: "look_up", with: { word: "bridle" } },
          ],
        },
        { say: "Now a third.", call: "look_up", with: { word: "rein" } },
        { say: "Done: {{ look_up.result }}" },
      ],
    },
    { when: { user: "host-checked" }, steps: [{ object: { word: 7 } }, { object: { word: "right" } }] },
    { when: { user: "an object" }, steps: [{ object: { word: "wrong" } }] },
    { when: { user: "Must not be wrong" }, steps: [{ object: { word: "right" } }] },
    { steps: [{ say: "Fine. 好的 🐎" }] },
  ],
} as const;

type Call = (runtime: AgentRuntime, text: string) => Promise<unknown>;
const system = { static: "You are a dictionary.", dynamic: "Today is a test. ✓" };
const loop: Call = (runtime, prompt) => runtime.runAgentLoop({ prompt, system, tools: [lookUp], stepBudget: 5 }).result;

/** Pairs of calls in the same process. No content of the first call may appear in the second. */
const pairs: Readonly<Record<string, readonly [Call, Call]>> = {
  "a text, not in ASCII": [
    (runtime) => runtime.generateText({ prompt: "Secret: Möwe 🕊️" }),
    (runtime, mark) => runtime.generateText({ prompt: `Grüße, 世界 ${mark} e\u0301 \u200b@file /compact` }),
  ],
  "tools at the same time, and again": [
    (runtime) => loop(runtime, "look up the secret"),
    (runtime, mark) => loop(runtime, `look up ${mark}`),
  ],
  "tools after a call that used none": [
    (runtime) => loop(runtime, "Secret, and nothing to do"),
    (runtime, mark) => loop(runtime, `look up ${mark}`),
  ],
  "no tool after a call that used some": [
    (runtime) => loop(runtime, "look up the secret"),
    (runtime, mark) => loop(runtime, `Only say ${mark}`),
  ],
  "an object that was asked for twice, by the host and by us": [
    (runtime) => runtime.generateObject({ prompt: "an object, secret", schema }),
    (runtime, mark) => runtime.generateObject({ prompt: `an object ${mark}`, schema }),
  ],
  "an object that the host had refused": [
    (runtime) => runtime.generateObject({ prompt: "host-checked, secret", schema }),
    (runtime, mark) => runtime.generateObject({ prompt: `host-checked ${mark}`, schema }),
  ],
  "an image and a file": [
    (runtime) => runtime.generateText({ prompt: partsOf("secret") }),
    (runtime, mark) => runtime.generateText({ prompt: partsOf(mark) }),
  ],
};

function partsOf(text: string) {
  return [
    {
      role: "user" as const,
      content: [
        { type: "text" as const, text },
        { type: "image" as const, mediaType: "image/png" as const, data: png },
        { type: "file" as const, mediaType: "text/csv" as const, data: csv(text), name: "sizes.csv" },
      ],
    },
  ];
}

async function openTestContext(): Promise<HostTestContext & { pooled: AgentRuntime; fresh: AgentRuntime }> {
  const context = await startTestContext(script as never);
  const options = { models: { default: "sonnet" }, projectDir: context.home.project };
  const pooled = createAgentRuntime({ ...options, backend: context.backend });
  const fresh = createAgentRuntime({ ...options, backend: context.unpooled });
  onTestFinished(() => Promise.all([pooled.close(), fresh.close()]).then(context.close));
  return { ...context, pooled, fresh };
}

test.each(Object.keys(pairs))(
  "after a rewind the requests equal those of a new process byte for byte: %s",
  async (kind) => {
    const { pooled, fresh, backend, rehearsal } = await openTestContext();
    const [before, call] = pairs[kind] ?? [];
    const sentBy = async (work: Promise<unknown> | undefined) => {
      const from = rehearsal.requests.length;
      await work;
      return comparable(rehearsal.requests.slice(from));
    };
    await before?.(pooled, "");
    const rewound = await sentBy(call?.(pooled, "mark"));
    expect(backend.pool()).toMatchObject({ started: 1, reused: 1 });
    const asked = await sentBy(call?.(fresh, "mark"));
    expect(rewound.length).toBeGreaterThan(0);
    expect(rewound).toEqual(asked);
    expect(rewound.join()).not.toMatch(/secret/i);
  },
);

test("each call of a process gets the reported limit of a window", async () => {
  const context = await startTestContext({
    rehearsal: 1,
    turns: [{ steps: [{ say: "Fine.", limit: { status: "allowed_warning", resets_in_seconds: 3600 } }] }],
  });
  const runtime = createAgentRuntime({
    backend: context.backend,
    models: { default: "sonnet" },
    projectDir: context.home.project,
  });
  onTestFinished(() => runtime.close().then(context.close));
  for (let call = 1; call <= 3; call++) {
    const run = runtime.runAgentLoop({ prompt: `Call ${call}`, tools: [], stepBudget: 1 });
    const types: string[] = [];
    for await (const { type } of run) types.push(type);
    expect(types.filter((type) => type === "limit.warned")).toHaveLength(1);
  }
  expect(context.backend.pool()).toMatchObject({ started: 1, reused: 2 });
});

test("a rewound process sends no request on its own", async () => {
  const { pooled, backend, rehearsal } = await openTestContext();
  await loop(pooled, "look up the secret");
  await expect.poll(() => backend.pool()).toMatchObject({ idle: 1, busy: 0 });
  const before = rehearsal.requests.length;
  await new Promise((resolve) => setTimeout(resolve, 3000));
  expect(rehearsal.requests.length).toBe(before);
  expect(backend.pool()).toMatchObject({ idle: 1 });
});

test("each call of a process reports only its own tokens and cost", async () => {
  const { pooled, backend } = await openTestContext();
  const reports = [];
  for (let call = 1; call <= 4; call++) reports.push(await pooled.generateText({ prompt: `Call ${call}` }));
  expect(backend.pool()).toMatchObject({ started: 1, reused: 3 });
  const [first] = reports;
  for (const { usage, cost } of reports) {
    expect(usage).toEqual(first?.usage);
    expect(cost?.usd).toBeCloseTo(first?.cost?.usd ?? 0, 9);
  }
  expect(first?.usage.inputTokens).toBeGreaterThan(0);
});
