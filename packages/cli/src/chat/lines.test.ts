import { addNote, type ChatItem, type ChatView, createView } from "@bridle/app/chat";
import type { Approval } from "@bridle/protocol";
import { visibleWidth } from "@earendil-works/pi-tui";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toPrintable } from "../terminal/printable.ts";
import { withoutSession } from "../terminal/resume-hint.ts";
import { statusLine } from "./bottom-lines.ts";
import { choiceLines } from "./choice-panel.ts";
import { createConversationLines } from "./conversation-lines.ts";
import { itemLines } from "./item-lines.ts";
import { chatQuestionLines, keyMeaning, type QuestionView } from "./question-view.ts";
import {
  formatAnswers,
  formatContext,
  formatCosts,
  formatHelp,
  formatRules,
  formatTools,
} from "./slash/action-texts.ts";
import { formatWorking } from "./status-line.ts";
import { createStyle } from "./style.ts";

const style = createStyle((_colour, text) => text);
const approval: Approval = {
  id: "a",
  runId: "r",
  callId: "c",
  attempt: 1,
  tool: "erase",
  input: { what: "it" },
  inputHash: "h",
  builtin: false,
  rule: "default",
  everyTime: false,
  annotations: { destructive: true, openWorld: false },
};
const question = (parts: Partial<QuestionView> = {}): QuestionView => ({
  approval,
  position: [1, 1],
  isWhole: false,
  words: "",
  ...parts,
});
const card = (parts: Partial<Extract<ChatItem, { kind: "tool" }>>): ChatItem => ({
  kind: "tool",
  callId: "c",
  tool: "erase",
  input: { what: "it" },
  step: 1,
  state: "running",
  progress: [],
  ...parts,
});

describe("untrusted text", () => {
  test("shows hidden characters as escapes, and takes emoji apart whose width differs between terminals", () => {
    expect(toPrintable("\u001b[2Ja\u0007\tb\r\nc\u202Ed\u2066e")).toBe("\\u{1b}[2Ja\\u{7}  b\nc\\u{202e}d\\u{2066}e");
    expect(toPrintable("مرحبا 你好 é 👩‍💻 ❤️ 👍🏽")).toBe("مرحبا 你好 é 👩💻 ❤ 👍");
  });

  test("fits the width in every kind of line", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.string({ unit: "grapheme", maxLength: 200 }),
    );
    const property = fc.property(texts, texts, fc.integer({ min: 20, max: 90 }), (text, other, width) => {
      const preview = { ...approval, tool: other, input: { text }, preview: `${text}\n${other}`, reason: other };
      const lines = [
        ...itemLines({ kind: "user", message: { role: "user", content: text } }, { width, style, isLive: true }),
        ...itemLines({ kind: "text", text, complete: true, step: 1 }, { width, style, isLive: true }),
        ...itemLines({ kind: "reasoning", text, complete: true, step: 1 }, { width, style, isLive: true }),
        ...itemLines({ kind: "note", tone: "plain", text }, { width, style, isLive: true }),
        ...itemLines(card({ tool: other, input: text, output: text, state: "failed" }), { width, style, isLive: true }),
        ...chatQuestionLines(question({ approval: preview, words: other }), width, style),
        ...choiceLines({ title: "Which?", facts: [text], choices: [{ key: "1", label: other }] }, 0, width, style),
        statusLine(createView(text, other), "x", undefined, width, style),
      ];
      for (const line of lines) {
        expect(visibleWidth(line)).toBeLessThanOrEqual(width);
        expect(line).not.toMatch(/[\n\r]/);
      }
    });
    fc.assert(property, { numRuns: 60 });
  });
});

describe("an answer", () => {
  const at = { width: 60, style, isLive: true };
  const text = (text: string): ChatItem => ({ kind: "text", text, complete: true, step: 1 });

  test("is indented if it is an object, and stays text if it only begins like one", () => {
    expect(itemLines(text('{"a":[1]}'), at)).toEqual(["{", '  "a": [', "    1", "  ]", "}"]);
    expect(itemLines(text("{a} is **b**"), at)).toEqual(["{a} is b"]);
  });

  test("shows the address of a link beside its words, so that no address is hidden", () => {
    expect(itemLines(text("[bank](https://evil.example)"), at)).toEqual(["bank (https://evil.example)"]);
  });
});

describe("a tool call", () => {
  const at = { width: 60, style, isLive: true };

  test("shows its input, its state, its duration, and the first lines of its result", () => {
    expect(itemLines(card({}), at)).toEqual(['→ erase {"what":"it"}']);
    expect(itemLines(card({ progress: ["one", "half done"] }), at)[1]).toBe("  half done");
    expect(itemLines(card({ state: "succeeded", durationMs: 1234, output: "1\n2\n3\n4\n5" }), at)).toEqual([
      '✓ erase 1.2 s {"what":"it"}',
      "  1",
      "  2",
      "  3",
      "  … 2 more lines",
    ]);
    expect(itemLines(card({ state: "denied", output: "no" }), at)).toEqual(['✗ erase {"what":"it"}', "  denied: no"]);
  });

  test("shows that its effect is unknown if its run has ended", () => {
    expect(itemLines(card({}), { ...at, width: 90, isLive: false }).join(" ")).toContain(
      "whether it had an effect is not known",
    );
    expect(itemLines(card({ state: "requested" }), { ...at, isLive: false })[1]).toBe("  not executed");
  });
});

describe("a question", () => {
  test("offers a key for each answer, and no key to remember an answer if the rule asks every time", () => {
    expect(keyMeaning("y", question())).toEqual({ kind: "answer", answer: { decision: "allow" } });
    expect(keyMeaning("n", question({ words: "Not now." }))).toEqual({
      kind: "answer",
      answer: { decision: "deny", message: "Not now." },
    });
    expect(keyMeaning("x", question())).toMatchObject({ answer: { decision: "deny-and-stop" } });
    expect(keyMeaning("p", question())).toMatchObject({ answer: { scope: "project" } });
    const everyTime = question({ approval: { ...approval, everyTime: true } });
    expect(keyMeaning("s", everyTime)).toEqual({ kind: "unknown" });
    expect(chatQuestionLines(everyTime, 80, style).join("\n")).not.toContain("for this session");
    expect(["\r", "\u001b[A", "yes", "1"].map((key) => keyMeaning(key, question()))).toEqual(Array(4).fill(undefined));
  });

  test("shortens a long preview until the user asks for all of it", () => {
    const preview = Array.from({ length: 40 }, (_, index) => `+ line ${index + 1}`).join("\n");
    const long = { approval: { ...approval, preview } };
    expect(chatQuestionLines(question(long), 80, style)).toContain("  … 32 more rows; v shows them");
    expect(chatQuestionLines(question({ ...long, isWhole: true }), 80, style)).toContain("│ + line 40");
  });

  test("shows why the previous answer was refused, and the reason of the rule", () => {
    const asked = { ...approval, problem: "what: has to be a text", reason: "It removes things." };
    const lines = chatQuestionLines(
      question({ approval: asked, problem: "This is not JSON", position: [2, 3] }),
      80,
      style,
    );
    expect(lines.slice(0, 7)).toEqual([
      "? erase asks to run (may destroy data)",
      "│ rule: default",
      "│ It removes things.",
      "│ what: has to be a text",
      '│ {"what":"it"}',
      "? Run erase (may destroy data)?",
      "  question 2 of 3; Tab shows the next",
    ]);
    expect(lines).toContain("  This is not JSON");
  });
});

describe("a conversation", () => {
  test("has an empty line between entries of different kinds, and none between calls", () => {
    const lines = createConversationLines(style);
    const entries = [card({ callId: "1" }), card({ callId: "2" })];
    const past = [{ kind: "user" as const, message: { role: "user" as const, content: "Hi" } }, ...entries];
    const view: ChatView = addNote({ ...createView("s"), past }, "beside");
    expect(lines(view, 30).map((line) => line.slice(0, 7))).toEqual([
      "> Hi",
      "",
      "? erase",
      "  the r",
      "? erase",
      "  the r",
      "",
      "beside",
    ]);
  });
});

describe("the status line", () => {
  test("shows the most important parts that fit", () => {
    const view: ChatView = {
      ...createView("ses_1", "sonnet"),
      totals: {
        runs: 1,
        steps: 1,
        toolCalls: 0,
        cost: { usd: 0.5, estimate: true },
        usage: { inputTokens: 1000, outputTokens: 234, cacheReadTokens: 0, cacheWriteTokens: 0 },
      },
      window: { window: "five_hour", state: "warned", utilization: 0.85 },
    };
    const line = (width: number) => statusLine(view, "claude-code", undefined, width, style);
    expect(line(90)).toBe("five_hour 85 % used · 1,234 tokens · $0.5000 (estimate) · claude-code sonnet · ses_1");
    expect(line(40)).toBe("five_hour 85 % used · 1,234 tokens");
    expect(statusLine(view, "claude-code", "Ctrl-C again leaves.", 90, style)).toBe("Ctrl-C again leaves.");
  });

  test("shows the work in progress and its duration, but not during a question", () => {
    const run = { startedAt: 0, isStopping: false };
    const view: ChatView = { ...createView("s"), run };
    expect(formatWorking(view, 3500)).toBe("working 3 s · Esc stops");
    const calls = { a: { tool: "look", startedAt: 1000 }, b: { tool: "erase", startedAt: 3000 } };
    expect(formatWorking({ ...view, calls }, 65_000)).toBe("look 1 min 4 s, erase 1 min 2 s · Esc stops");
    expect(formatWorking({ ...view, run: { ...run, isStopping: true } }, 0)).toBe("stopping");
    expect(formatWorking({ ...view, questions: [approval] }, 0)).toBeUndefined();
    expect(formatWorking(createView("s"), 0)).toBeUndefined();
  });
});

describe("the output of a chat command", () => {
  test("lists every command with its arguments", () => {
    const lines = formatHelp(90).split("\n");
    expect(lines).toContain("/compact [drop-tool-results|summarise]  shorten the history that the model gets");
    expect(lines).toContain("/cost                                   show the tokens and cost of each run");
    for (const line of formatHelp(50).split("\n")) expect(line.length).toBeLessThanOrEqual(50);
  });

  test("lists each tool with its kind and its annotations", () => {
    const tool = { name: "a", description: "Finds it. And more.", input: { jsonSchema: {}, problems: () => [] } };
    const tools = [{ ...tool, annotations: { readOnly: true, openWorld: true }, execute: async () => "" }];
    expect(formatTools(tools, { a: "mcp" }, ["WebSearch"], 80)).toBe(
      "a          Finds it. (mcp, read-only, open world)\nWebSearch  a tool of the host",
    );
    expect(formatTools([], {}, [], 80)).toBe("No tools: the model can only answer.");
  });

  test("shows how full the window is, and what the next prompt comes with", () => {
    const facts = { messages: 4, messageCharacters: 1234, systemCharacters: 56, tools: 2 };
    expect(formatContext({ ...facts, tokens: 50_000, contextWindow: 200_000 }, 80).split("\n")).toEqual([
      expect.stringMatching(/^Window +50,000 tokens of 200,000 \(25 %\)$/),
      expect.stringMatching(/^Conversation +4 messages, 1,?234 characters$/),
      expect.stringMatching(/^Instructions +56 characters$/),
      expect.stringMatching(/^Tools +2 tools$/),
      "/compact shortens the conversation. /clear starts an empty one.",
    ]);
    expect(formatContext(facts, 80)).toContain("not known before the first answer");
    expect(formatContext({ ...facts, tokens: 10 }, 80)).toContain("10 tokens; the host has not reported its window");
  });

  test("lists the current rules and the remembered answers", () => {
    const rules = [{ tool: "sql", when: { statement: "^select" }, then: "allow" }];
    const snapshot = { mode: "normal", unattended: true, disable: ["rm"], rules, annotations: { destructive: "ask" } };
    expect(formatRules([JSON.stringify(snapshot)], 80).split("\n")).toEqual([
      "Mode normal, unattended",
      "Disabled: rm",
      "sql if statement ~ ^select  allow",
      "tools marked destructive    ask",
    ]);
    expect(formatRules(['"agent"', '"project"'], 80)).toBe(
      '"agent"\nThe denials of the project\'s rules also apply:\n"project"',
    );
    expect(formatRules([], 80)).toBe("No rules: all tools of the request may run.");
    expect(formatAnswers([], 80)).toBe("No answers are remembered.");
    expect(formatCosts([], 80)).toBe("No run has finished yet.");
  });

  test("repeats the arguments of the command without the session", () => {
    expect(withoutSession(["chat", "a.yaml", "--resume", "old", "--mode", "ask"])).toEqual([
      "chat",
      "a.yaml",
      "--mode",
      "ask",
    ]);
    expect(withoutSession(["chat", "--continue", "--resume=old", "--tools", "t.ts"])).toEqual([
      "chat",
      "--tools",
      "t.ts",
    ]);
  });
});
