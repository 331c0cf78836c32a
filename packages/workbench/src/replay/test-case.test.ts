import { expect, test } from "vitest";
import { parse } from "yaml";
import { toTestCase } from "./test-case.ts";

const place = { runId: "r", seq: 1, time: 0 };
const said = (content: string) => ({ ...place, kind: "user" as const, message: { role: "user" as const, content } });
const called = (tool: string) => ({
  ...place,
  kind: "tool" as const,
  callId: "c",
  tool,
  input: {},
  step: 1,
  state: "succeeded" as const,
  progress: [],
});
const answered = (text: string) => ({ ...place, kind: "text" as const, text, complete: true, step: 1 });
const caseOf = (
  entries: ReadonlyArray<ReturnType<typeof said> | ReturnType<typeof called> | ReturnType<typeof answered>>,
) => parse(toTestCase({ transcript: { seq: 9, entries: [...entries], steps: 1, answering: false } }));

const evaluations = [{ type: "standard", metric: "f1", threshold: 0.6 }];

test("a run becomes a case with its prompt, its tools once each, and its answer", () => {
  const entries = [said('Where is "A-1"?\n# now'), called("lookup"), called("lookup"), answered("Here: ok.")];
  expect(caseOf(entries)).toEqual([
    {
      name: 'Where is "A-1"?\n# now',
      input: 'Where is "A-1"?\n# now',
      expected_tools: ["lookup"],
      ground_truth: "Here: ok.",
      evaluations,
    },
  ]);
});

test("several prompts become turns, each with its own tools", () => {
  expect(caseOf([said("one"), answered("1"), said("two"), called("add"), answered("2")])).toEqual([
    {
      name: "one",
      turns: [
        { input: "one", ground_truth: "1", evaluations },
        { input: "two", expected_tools: ["add"], ground_truth: "2", evaluations },
      ],
    },
  ]);
});
