import { userInfo } from "node:os";
import type { Approval } from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { createTerminalApprover } from "./terminal-approver.ts";

const approval: Approval = {
  id: "approval_1",
  runId: "run_1",
  callId: "c1",
  attempt: 1,
  tool: "run_sql",
  input: { statement: "drop" },
  inputHash: "h1",
  builtin: false,
  rule: "default",
  everyTime: false,
  annotations: { destructive: true, openWorld: false },
};

/** Simulates a user at a terminal of this width who types these lines. */
function sit(typed: readonly string[], columns = 60) {
  const left = [...typed];
  let shown = "";
  const stderr = {
    isTTY: true,
    columns,
    write(text: string) {
      shown += text;
    },
  };
  const approve = createTerminalApprover({
    stderr,
    readLine: async () => left.shift(),
    environment: { USER: "mallory", LOGNAME: "mallory", NO_COLOR: "1" },
  });
  const never = new AbortController().signal;
  return {
    ask: async (asked: Partial<Approval> = {}, signal = never) => approve({ ...approval, ...asked }, signal),
    shown: () => shown,
  };
}

describe("the approver on a terminal", () => {
  test("shows tool, rule, input, preview and keys, and a key answers for that input", async () => {
    const person = sit(["y"]);
    const answer = await person.ask({ preview: "-old\n+new" });
    expect(answer).toEqual({ decision: "allow", by: userInfo().username, inputHash: "h1" });
    expect(person.shown()).toBe(`? run_sql asks to run (may destroy data)
│ rule: default
│ {"statement":"drop"}
│ -old
│ +new
? Run run_sql (may destroy data)?
  y yes, once · s for this session ·
  p for this project · a always · n no ·
  x no, and stop · e edit the input
  Text after the key is sent to the model.
  › `);
  });

  const keys: [line: string, answer: object][] = [
    ["s", { decision: "allow", scope: "session" }],
    ["P", { decision: "allow", scope: "project" }],
    [" a ", { decision: "allow", scope: "always" }],
    ["yes but gently", { decision: "allow", message: "but gently" }],
    ["n Not on a Friday.", { decision: "deny", message: "Not on a Friday." }],
    ["x", { decision: "deny-and-stop" }],
  ];
  for (const [line, answer] of keys) {
    test(`takes "${line}" as ${JSON.stringify(answer)}`, async () => {
      expect(await sit([line]).ask()).toEqual({ ...answer, by: userInfo().username, inputHash: "h1" });
    });
  }

  test("asks again until a valid key is typed, and also after an empty line", async () => {
    const person = sit(["", "perhaps", "n"]);
    expect(await person.ask()).toMatchObject({ decision: "deny" });
    expect(person.shown().match(/Type one of the keys/g)).toHaveLength(2);
  });

  test("offers no answer to remember if the rule asks every time", async () => {
    const person = sit(["s", "a", "y"]);
    expect(await person.ask({ everyTime: true })).toMatchObject({ decision: "allow", by: userInfo().username });
    expect(person.shown()).not.toContain("for this project");
    expect(person.shown().match(/Type one of the keys/g)).toHaveLength(2);
  });

  test("accepts an edited input, which must be JSON, and an empty line cancels the edit", async () => {
    const person = sit(["e", "{broken", "", "e", '{"statement":"select 1"}']);
    expect(await person.ask()).toMatchObject({ decision: "allow", input: { statement: "select 1" } });
    expect(person.shown()).toContain("This is not valid JSON");
  });

  test("continues the edit of an input that did not fit, so that no key answers for the original by mistake", async () => {
    const person = sit(["e", "{}", "y", '{"statement":"select 2"}', "e", "{}", "", "n"]);
    expect(await person.ask()).toMatchObject({ decision: "allow", input: {} });
    const again = { attempt: 2, problem: "Call it again with this mended:\n- statement: expected string" };
    expect(await person.ask(again)).toMatchObject({ decision: "allow", input: { statement: "select 2" } });
    expect(person.shown().match(/This is not valid JSON/g)).toHaveLength(1);
    expect(await person.ask()).toMatchObject({ decision: "allow", input: {} });
    expect(await person.ask(again)).toMatchObject({ decision: "deny" });
    expect(person.shown()).toContain("without your edit");
  });

  test("shows the errors of the previous input", async () => {
    const person = sit(["n"]);
    await person.ask({ attempt: 2, problem: "Call it again with this mended:\n- path: expected string" });
    expect(person.shown()).toContain("│ The input does not fit:\n│ - path: expected string\n");
  });

  test("cuts a long preview until the user asks for all of it", async () => {
    const preview = Array.from({ length: 30 }, (_, index) => `line ${index}`).join("\n");
    const person = sit(["v", "n"]);
    await person.ask({ preview });
    expect(person.shown().split("line 29")).toHaveLength(2);
    expect(person.shown()).toContain("… 18 more rows; v shows them");
  });

  test("shows control characters of inputs, previews and names as escapes, and fits its width", async () => {
    const person = sit(["n"], 40);
    const wild = `\u001b[2J\u001b]0;title\u0007${"x".repeat(100)}`;
    await person.ask({ input: { wild }, preview: `${wild}\r\u001b[1Agone`, tool: `t\u001b[2J${"y".repeat(90)}` });
    expect(person.shown()).toContain("│ \\u{1b}[2J\\u{1b}]0;title\\u{7}xxx");
    expect(person.shown()).toContain('│ "t\\u001b[2Jyyy');
    expect(person.shown()).not.toMatch(/[^\P{Cc}\n]/u);
    for (const line of person.shown().split("\n")) expect(line.length).toBeLessThanOrEqual(40);
  });

  test("asks one question at a time", async () => {
    const person = sit(["y", "n"]);
    const answers = await Promise.all([person.ask({ tool: "first" }), person.ask({ tool: "second" })]);
    expect(answers.map(({ decision }) => decision)).toEqual(["allow", "deny"]);
    expect(person.shown().indexOf("second")).toBeGreaterThan(person.shown().indexOf("›"));
  });

  test("rejects if the terminal is closed or the question was answered elsewhere", async () => {
    await expect(sit([]).ask()).rejects.toThrow("the terminal gave no answer");
    const person = sit(["y"]);
    await expect(person.ask({}, AbortSignal.abort(new Error("answered elsewhere")))).rejects.toThrow("elsewhere");
    expect(person.shown()).toBe("");
  });
});
