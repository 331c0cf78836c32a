/** Measures how quickly a user can type while the model writes. */
import { setTimeout } from "node:timers/promises";
import type { EventWriter } from "@bridle/protocol";
import { inRounds, printFigures } from "./figures.ts";
import { firstTextOf } from "./observers.ts";
import { type PageStage, withPage } from "./stage.ts";
import { writeCalls } from "./written-calls.ts";

const tokensPerSecond = 150;
const written = "Please look at the other orders as well, and tell me which of them are late. ".repeat(2);
/** Milliseconds between two key presses. */
const keyMs = 80;

export function measureTyping(rounds: number): Promise<void> {
  return withPage("typing", async (stage) => {
    await writeCalls(stage.workspace, "short", 20);
    await writeCalls(stage.workspace, "long", 10_000);
    for (const [session, title] of [
      ["short", "a short session"],
      ["long", "a session of 10,000 events"],
    ] as const) {
      const typed = await inRounds(rounds, () => type(stage, session));
      const { keys, tokens } = typed[0] ?? { keys: 0, tokens: 0 };
      printFigures(`${keys} keys while ${tokensPerSecond} tokens a second stream into ${title}, ${tokens} in a round`, [
        { name: "interaction to next paint, 98 %", values: typed.map(({ maxMs }) => maxMs), goal: 100 },
        { name: "the slowest", values: typed.map(({ slowestMs }) => slowestMs) },
        {
          name: "frames per second meanwhile",
          values: typed.map(({ perSecond }) => perSecond),
          unit: "/s",
          isMore: true,
        },
      ]);
    }
  });
}

async function type({ workspace, visit }: PageStage, session: string) {
  const writer = await workspace.eventLog.openWriter({ sessionId: session });
  try {
    return await visit(`/s/${session}`, async (page) => {
      await page.evaluate(firstTextOf(".entry"));
      await page.getByLabel("Message", { exact: true }).fill("");
      const leave = new AbortController();
      const stream = writeTokens(writer, `run_of_${session}`, leave.signal);
      await page.getByText("word").last().waitFor();
      await page.evaluate(
        "bench.interactions.clear(); bench.frames = 0; const tick = () => { bench.frames += 1; requestAnimationFrame(tick); }; tick(); bench.from = performance.now()",
      );
      await page.keyboard.type(written, { delay: keyMs });
      const { durations, perSecond } = await page.evaluate<{ durations: number[]; perSecond: number }>(
        "({ durations: [...bench.interactions.values()], perSecond: bench.frames * 1000 / (performance.now() - bench.from) })",
      );
      leave.abort();
      const slow = durations.toSorted((a, b) => b - a);
      const maxMs = slow[Math.floor(written.length / 50)] ?? 16; // browsers do not report times below 16 ms
      return { keys: written.length, tokens: await stream, maxMs, slowestMs: slow[0] ?? 16, perSecond };
    });
  } finally {
    await writer.close();
  }
}

/** Writes like a model, with paragraphs, lists and code. Resolves with the number of tokens. */
async function writeTokens(writer: EventWriter, run: string, signal: AbortSignal): Promise<number> {
  const start = performance.now();
  writer.append(run, { type: "step.started", index: 1 });
  let count = 0;
  while (!signal.aborted) {
    const due = ((performance.now() - start) / 1000) * tokensPerSecond;
    for (; count < due; count += 1) writer.append(run, { type: "text.delta", text: tokenAt(count) });
    await setTimeout(5);
  }
  writer.append(run, { type: "text.completed", text: Array.from({ length: count }, (_, at) => tokenAt(at)).join("") });
  return count;
}

const part = [
  ..."A paragraph of the answer has many a word and some are **strong** and others `code` so that it is read ".split(
    /(?<= )/,
  ),
  "\n\n- ",
  "an entry ",
  "of a list\n- ",
  "another ",
  "entry\n\n```ts\n",
  "const order ",
  "= await ",
  "find(7);\n",
  "```\n\n",
];

function tokenAt(index: number): string {
  return part[index % part.length] ?? "";
}
