import { type EventDraft, noUsage, type RunEvent } from "@bridle/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLiveView } from "./live-view.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns all output in order, with standard error in brackets. */
function show(drafts: readonly EventDraft[], { isTTY = false, environment = {} } = {}): string {
  let picture = "";
  const output = (mark: (text: string) => string) => ({
    write(text: string) {
      picture += mark(text);
    },
    isTTY,
    columns: isTTY ? 40 : undefined,
  });
  const stdout = output((text) => text);
  const stderr = output((text) => `[${text}]`);
  const view = createLiveView({ stdout, stderr, environment });
  for (const [index, draft] of drafts.entries()) view({ ...draft, seq: index + 1, time: 0, runId: "r" } as RunEvent);
  return picture;
}

const requested: EventDraft = {
  type: "tool.requested",
  callId: "1",
  tool: "search",
  input: { q: "tea" },
  inputHash: "",
};
const finished: EventDraft = { type: "tool.finished", callId: "1", ok: true, durationMs: 1234, output: "" };
const delta = (text: string): EventDraft => ({ type: "text.delta", text });
const completed = (text: string): EventDraft => ({ type: "text.completed", text });

test("text is shown as it arrives, and each text ends its line", () => {
  expect(
    show([delta("Let me "), delta("look."), completed("Let me look."), delta("Done.\n"), completed("Done.\n")]),
  ).toBe("Let me look.\nDone.\n");
});

test("text that was not streamed is shown when it is complete", () => {
  expect(show([completed("All at once.")])).toBe("All at once.\n");
});

test("a tool call is one line when it starts and one when it is finished, with its duration", () => {
  expect(show([requested, { type: "tool.started", callId: "1" }, finished])).toBe(
    '[→ search {"q":"tea"}\n][✓ search 1.2 s\n]',
  );
});

test("progress, denial and failure each have a line", () => {
  const drafts: EventDraft[] = [
    requested,
    { type: "tool.progress", callId: "1", message: "half way" },
    { type: "tool.denied", callId: "1", output: "Not on Sundays." },
    { ...finished, ok: false, durationMs: 12, output: "No such\ntable." },
  ];
  expect(show(drafts)).toBe(
    "[… search: half way\n][✗ search denied: Not on Sundays.\n][✗ search 12 ms No such table.\n]",
  );
});

const retry: EventDraft = {
  type: "retry.scheduled",
  attempt: 2,
  maxAttempts: 10,
  delayMs: 2000,
  reason: "overloaded",
};
const narrow = { isTTY: true, environment: { NO_COLOR: "1" } };

test("a retry shows its reason without the remedy, and does not repeat the same reason", () => {
  const reason =
    "The backend x cannot be reached at http://127.0.0.1:9/v1: nothing listens there (ECONNREFUSED). Check the network and llm.provider.baseUrl.";
  const first = { ...retry, attempt: 1, maxAttempts: 3, delayMs: 500, reason };
  const picture = show([
    first,
    { ...first, attempt: 2, delayMs: 900 },
    { ...first, attempt: 3, reason: "overloaded" },
    { ...first, reason: "overloaded" }, // another request
  ]);
  expect(picture.split("\n][")).toEqual([
    "[! The backend x cannot be reached at http://127.0.0.1:9/v1: nothing listens there (ECONNREFUSED); attempt 1 of 3 in 500 ms",
    "! the same again; attempt 2 of 3 in 900 ms",
    "! overloaded; attempt 3 of 3 in 500 ms",
    "! overloaded; attempt 1 of 3 in 500 ms\n]",
  ]);
});

test("retries, waits, warnings and failures are shown whole on a narrow terminal, in lines that fit", () => {
  const reason = "The backend x cannot be reached at http://127.0.0.1:9/v1: nothing listens there.";
  const notice = { type: "notice", level: "warning", code: "x", message: `${"word ".repeat(30)}end` } as const;
  const denied: EventDraft = { type: "tool.denied", callId: "1", output: "Not on Sundays, nor on any other holiday." };
  const picture = show([{ ...retry, reason }, waits(7_380_000), notice, requested, denied], narrow);
  for (const news of ["attempt 2 of 10 in 2.0 s", "2 h 3 min", "end", "any other holiday."]) {
    expect(picture.replaceAll(/\n {2}/g, " ")).toContain(news);
  }
  for (const line of picture.replaceAll(/[[\]]/g, "").split("\n")) expect(line.length).toBeLessThanOrEqual(39);
  expect(picture).toMatch(/\n {2}\S/);
});

const started: EventDraft = { type: "step.started", index: 1 };
const over: EventDraft = { type: "step.finished", index: 1, budget: 5, usage: noUsage };
const cut = [started, delta("Half of"), retry, delta("The "), delta("answer."), completed("The answer."), over];

test("a terminal shows that the text of a repeated answer is void", () => {
  const environment = { NO_COLOR: "1" };
  const drafts = cut.map((draft) => (draft === retry ? { ...retry, reason: "short" } : draft));
  expect(show(drafts, { isTTY: true, environment })).toBe(
    "Half of[\n][! short; attempt 2 of 10 in 2.0 s\n][! void so far; the answer starts again:\n]The answer.\n",
  );
});

test("without a terminal, text is shown after its step, without void text", () => {
  expect(show(cut)).toBe("[! overloaded; attempt 2 of 10 in 2.0 s\n]The answer.\n");
  expect(show([started, delta("Half of")])).toBe("");
  expect(show([started, delta("Half of"), { type: "run.finished", result: {} } as EventDraft])).toBe("Half of\n");
});

test("retries and warnings of the host are shown", () => {
  const notice = { type: "notice", level: "warning", code: "x", message: "Mind the gap." } as const;
  expect(show([retry, notice, { ...notice, level: "info" }])).toBe(
    "[! overloaded; attempt 2 of 10 in 2.0 s\n][! Mind the gap.\n]",
  );
});

const waits = (remainingMs: number): EventDraft => ({
  type: "limit.waiting",
  window: "five_hour",
  reason: "usage-limit",
  remainingMs,
});

test("a wait for a usage limit is shown once, and so is its end", () => {
  expect(show([waits(7_380_000), waits(7_350_000), { type: "limit.cleared", window: "five_hour" }])).toBe(
    "[! the usage limit is used up (five_hour); waiting for 2 h 3 min\n][! the usage window is open again (five_hour)\n]",
  );
});

test("a wait shows the time of its end, with the date if the end is not today", () => {
  vi.setSystemTime(new Date(2026, 4, 1, 12, 0));
  const at = (hours: number) => ({ ...waits(1000), resetsAt: new Date(2026, 4, 1, hours, 5).getTime() }) as EventDraft;
  expect(show([at(14)])).toContain("until 14:05\n");
  expect(show([at(26)])).toContain("until Sat May 02 2026 02:05\n");
});

test("a terminal counts down while a run waits for a usage limit", () => {
  const [write, texts] = recording();
  const view = createLiveView({ stdout: write, stderr: write, environment: { NO_COLOR: "1" } });
  view({ ...waits(125_000), seq: 1, time: 0, runId: "r" } as RunEvent);
  vi.advanceTimersByTime(2000);
  view({ ...waits(4000), seq: 2, time: 0, runId: "r" } as RunEvent);
  vi.advanceTimersByTime(1000);
  expect(
    texts
      .join("")
      .split("\r")
      .filter((text) => text.startsWith("…")),
  ).toEqual(["… waiting for the usage limit: 2 min 3 s left", "… waiting for the usage limit: 3 s left"]);
});

function recording() {
  const texts: string[] = [];
  return [{ write: (text: string) => void texts.push(text), isTTY: true, columns: 70 }, texts] as const;
}

test("on a terminal a line about a tool never interrupts a line of text", () => {
  const picture = show([delta("Let me"), requested, { type: "tool.started", callId: "1" }], {
    isTTY: true,
    environment: { NO_COLOR: "1" },
  });
  expect(picture).toBe('Let me[\n][→ search {"q":"tea"}\n]');
});

test("colours are for terminals, and NO_COLOR turns them off", () => {
  const drafts = [requested, finished];
  expect(show(drafts, { isTTY: true })).toContain("\u001b[32m✓ search 1.2 s\u001b[39m");
  expect(show(drafts, { isTTY: true, environment: { NO_COLOR: "1" } })).toBe("[✓ search 1.2 s\n]");
});

test("lines fit a narrow terminal", () => {
  const long: EventDraft = { ...requested, input: { q: "tea ".repeat(50) } };
  const picture = show([long, { type: "tool.started", callId: "1" }], { isTTY: true, environment: { NO_COLOR: "1" } });
  expect(picture.slice(1, -2)).toHaveLength(39);
  expect(picture).toContain("…");
});

test("control characters from a model or a tool are shown as escapes on a terminal", () => {
  const evil: EventDraft = { ...requested, tool: "x\u001b[2J", input: {} };
  const picture = show(
    [delta("a\u001b[2J\u0007b\u001b"), completed("a"), evil, { type: "tool.started", callId: "1" }],
    {
      isTTY: true,
      environment: { NO_COLOR: "1" },
    },
  );
  expect(picture).toBe("a\\u{1b}[2J\\u{7}b\\u{1b}\n[→ x\\u{1b}[2J\n]");
});

test("without a terminal, text passes with its tabs, joiners and line ends, and control characters are shown", () => {
  expect(show([delta("a\tb 👩‍💻 \u200c\r"), delta("\nc\n")])).toBe("a\tb 👩‍💻 \u200c\r\nc\n");
  expect(show([delta("a\u001b]52;c;ZXZpbA==\u0007b\n")])).toBe("a\\u{1b}]52;c;ZXZpbA==\\u{7}b\n");
});

test("a character that arrives in two texts is shown as one", () => {
  const terminal = { isTTY: true, environment: { NO_COLOR: "1" } };
  expect(show([delta("a\ud83d"), delta("\ude42 é"), delta("\u0301"), completed("a")], terminal)).toBe("a🙂 é\u0301\n");
  expect(show([delta("👩\u200d"), delta("💻 \r"), delta("\n")], terminal)).toBe("👩💻 \n");
  expect(show([delta("a"), delta("\ud83d"), requested, { type: "tool.started", callId: "1" }], terminal)).toContain(
    "a\\u{d83d}",
  );
});

/** Returns the output to a terminal during a pause that ends with a text. */
function waitOn(environment: Record<string, string>): string {
  let picture = "";
  const write = (text: string) => {
    picture += text;
  };
  const output = { write, isTTY: true, columns: 40 };
  const view = createLiveView({ stdout: output, stderr: output, environment });
  const event = (draft: EventDraft) => view({ ...draft, seq: 1, time: 0, runId: "r" } as RunEvent);
  event({ type: "step.started", index: 1 });
  vi.advanceTimersByTime(2500);
  event(delta("Hello."));
  vi.advanceTimersByTime(5000);
  return picture;
}

test("after a second of silence a terminal shows a progress line until the next event, and erases it without escape sequences", () => {
  const erase = `\r${" ".repeat("… working 1.0 s^C".length)}\r`;
  expect(waitOn({})).toBe(`… working 1.0 s${erase}… working 2.0 s${erase}Hello.`);
});

test("a line that is repainted fits its terminal, so that it can be erased", () => {
  const texts: string[] = [];
  const output = { write: (text: string) => void texts.push(text), isTTY: true, columns: 30 };
  const view = createLiveView({ stdout: output, stderr: output, environment: { NO_COLOR: "1" } });
  view({ ...waits(125_000), seq: 1, time: 0, runId: "r" } as RunEvent);
  vi.advanceTimersByTime(2000);
  const painted = texts.filter((text) => /^[…\r]/.test(text));
  expect(painted).toHaveLength(3);
  for (const text of painted) expect(text.replaceAll("\r", "").length).toBeLessThan(30);
});

test("a dumb terminal shows no progress line", () => {
  expect(waitOn({ TERM: "dumb" })).toBe("Hello.");
});

test("a run that ends in the middle of a line ends the line", () => {
  const end = { type: "run.finished", result: {} } as EventDraft;
  expect(show([delta("Let me"), end])).toBe("Let me\n");
  expect(show([delta("Done.\n"), end])).toBe("Done.\n");
});
