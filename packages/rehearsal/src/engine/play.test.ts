import { expect, test } from "vitest";
import { defineScript } from "../script/define.ts";
import type { ScriptInput } from "../script/schema.ts";
import type { RehearsedConversation } from "./conversation.ts";
import { createPlayer, type Play } from "./play.ts";

const base: RehearsedConversation = {
  id: "c",
  system: "",
  user: "hello",
  turn: 1,
  answers: [],
  results: [],
  offered: [],
};

/** Returns a conversation. For every past answer, `answers` lists the tools whose results followed it. */
function at(answers: string[][], more: Partial<RehearsedConversation> = {}): RehearsedConversation {
  const results = (tools: string[]) => tools.map((tool) => ({ tool, text: "" }));
  return { ...base, answers: answers.map((tools) => ({ results: results(tools) })), ...more };
}

function playerOf(turns: ScriptInput["turns"]) {
  return createPlayer(defineScript({ rehearsal: 1, turns }, "orders.yaml"));
}

/** Returns the text of an answer, or a short description of the failure. */
function words(play: Play): string {
  if (play.kind === "mismatch") return play.reason;
  const { act } = play.step;
  if (act.kind === "refuse") return String(act.status);
  return play.answer?.texts.join("") || play.answer?.calls.map(({ name }) => name).join(",") || act.kind;
}

test("the first turn whose conditions all hold is played", () => {
  const play = playerOf([
    { when: { user: "refund", system: "shop" }, steps: [{ say: "both" }] },
    { when: { user: "/REFUND/i" }, steps: [{ say: "user" }] },
    { steps: [{ say: "otherwise" }] },
  ]);
  expect(words(play({ ...base, user: "a refund", system: "my shop" }))).toBe("both");
  expect(words(play({ ...base, user: "a refund" }))).toBe("user");
  expect(words(play(base))).toBe("otherwise");
});

test("a turn can be limited to one message of the conversation", () => {
  const play = playerOf([{ when: { message: 2 }, steps: [{ say: "second" }] }, { steps: [{ say: "other" }] }]);
  expect([1, 2, 3].map((turn) => words(play({ ...base, turn })))).toEqual(["other", "second", "other"]);
});

test("the number of answers in the history is the position in the turn, however often it is requested", () => {
  const play = playerOf([{ steps: [{ say: "1" }, { say: "2" }, { say: "3" }] }]);
  expect([at([[], []]), at([]), at([[]]), at([])].map((conversation) => words(play(conversation)))).toEqual([
    "3",
    "1",
    "2",
    "1",
  ]);
});

test("a turn for a tool or a step takes over, and the first turn continues after it", () => {
  const play = playerOf([
    { when: { tool: "look" }, steps: [{ say: "looked" }, { say: "looked again" }] },
    { when: { step: 3 }, steps: [{ say: "third" }] },
    { steps: [{ say: "a" }, { say: "b" }] },
  ]);
  expect(words(play(at([])))).toBe("a");
  expect(words(play(at([["look"]])))).toBe("looked");
  expect(words(play(at([["look"], []])))).toBe("third");
  expect(words(play(at([["look"], [], []])))).toBe("b");
  expect(words(play(at([["look"], [], [], ["mcp__bridle__look"]])))).toBe("looked again");
});

test("a step can repeat a number of times, or without end", () => {
  const play = playerOf([
    {
      steps: [
        { say: "a", times: 2 },
        { say: "b", forever: true },
      ],
    },
  ]);
  const said = [0, 1, 2, 3, 99].map((count) => words(play(at(Array.from({ length: count }, () => [])))));
  expect(said).toEqual(["a", "a", "b", "b", "b"]);
});

test("a fault repeats as often as it says, and then the next step is played at the same position", () => {
  const play = playerOf([{ steps: [{ say: "a" }, { status: 529, times: 2 }, { reset: true }, { say: "b" }] }]);
  expect(words(play(at([])))).toBe("a");
  const attempts = Array.from({ length: 5 }, () => words(play(at([[]]))));
  expect(attempts).toEqual(["529", "529", "reset", "b", "b"]);
});

test("faults are counted for each conversation and each message of the user", () => {
  const play = playerOf([{ steps: [{ status: 529 }, { say: "a" }] }]);
  expect(words(play({ ...base, id: "one" }))).toBe("529");
  expect(words(play({ ...base, id: "two" }))).toBe("529");
  expect(words(play({ ...base, id: "one" }))).toBe("a");
  expect(words(play({ ...base, id: "one", turn: 2 }))).toBe("529");
});

test("a fault at the end of a turn repeats without end", () => {
  const play = playerOf([{ steps: [{ status: 429 }] }]);
  expect([1, 2, 3].map(() => words(play(base)))).toEqual(["429", "429", "429"]);
});

test("a request beyond the last step fails and names file, turn and step", () => {
  const play = playerOf([{ when: { user: "hello" }, steps: [{ say: "a" }] }]);
  expect(play(at([[]]))).toEqual({
    kind: "mismatch",
    turn: 1,
    step: 2,
    reason:
      'orders.yaml, turn 1 (when user "hello"): step 2 was requested, but the turn has only one step. ' +
      "Add a step, or find out why the client sent another request.",
  });
});

test("an attempt beyond the last fault fails and says which attempt", () => {
  const play = playerOf([{ steps: [{ say: "a" }, { status: 500, times: 1 }] }]);
  play(at([[]]));
  expect(words(play(at([[]])))).toContain("turn 1: step 2, attempt 2 was requested, but the turn has only 2 steps.");
});

test("a conversation without a matching turn fails and names the turns of the script", () => {
  const play = playerOf([{ when: { user: "refund" }, steps: [{ say: "a" }] }]);
  expect(words(play({ ...base, turn: 3 }))).toBe(
    'orders.yaml: no turn matches step 1 after user message 3 ("hello"). The script has turn 1 (when user "refund"). ' +
      'Add a turn without "when" for all other requests.',
  );
  const many = playerOf(Array.from({ length: 8 }, () => ({ when: { user: "x" }, steps: [{ say: "a" }] })));
  expect(words(many(base))).toContain("and 3 more.");
});

test("a template that cannot be filled fails and names turn and step", () => {
  const play = playerOf([{ steps: [{ say: "a" }, { say: "It is {{ look.result }}" }] }]);
  expect(words(play(at([[]])))).toBe(
    'orders.yaml, turn 1, step 2: a template names the result of "look", but that tool was not called. Correct the script.',
  );
});

test("a tool is called by its offered name", () => {
  const play = playerOf([{ steps: [{ calls: [{ call: "look" }, { call: "db.find" }, { call: "Bash" }] }] }]);
  expect(words(play({ ...base, offered: ["mcp__bridle__look", "mcp__bridle__db_find"] }))).toBe(
    "mcp__bridle__look,mcp__bridle__db_find,Bash",
  );
  expect(words(play({ ...base, offered: ["look", "mcp__bridle__look"] }))).toBe("look,db.find,Bash");
});

test("an object is a call to the tool that requests it, else JSON text", () => {
  const play = playerOf([{ steps: [{ object: { answer: 42 } }] }]);
  expect(words(play(base))).toBe('{"answer":42}');
  const asked = play({ ...base, objectTool: "StructuredOutput" });
  expect(asked).toMatchObject({ answer: { calls: [{ name: "StructuredOutput", arguments: '{"answer":42}' }] } });
});

test("a call has its input as JSON, or the raw text of the script", () => {
  const play = playerOf([
    { steps: [{ calls: [{ call: "a" }, { call: "b", with: 5 }, { call: "c", with_text: '{"x' }] }] },
  ]);
  expect(play(base)).toMatchObject({
    answer: { calls: [{ arguments: "{}" }, { arguments: "5" }, { arguments: '{"x' }] },
  });
});

test("the same position gives the same answer with the same ids, and another position gives other ids", () => {
  const play = playerOf([{ steps: [{ call: "look", forever: true }] }]);
  expect(play(at([]))).toEqual(play(at([])));
  const ids = [play(at([])), play(at([[]])), play({ ...base, id: "d" })].map((each) =>
    each.kind === "step" ? each.answer?.calls[0]?.id : "",
  );
  expect(new Set(ids).size).toBe(3);
});

test("an oversized answer has exactly its size", () => {
  const play = playerOf([{ steps: [{ oversized_bytes: 1234 }] }]);
  expect(words(play(base))).toHaveLength(1234);
});

test.each([
  ["/^(a+)+$/", `${"a".repeat(60)}!`],
  ["/^(a|aa)+$/i", `${"a".repeat(90)}!`],
  ["/^(\\w+\\s?)*$/", `${"word ".repeat(20)}${"a".repeat(60)}!`],
])("a condition %s that would take years on a message is a reason without an answer", (user, text) => {
  const play = playerOf([{ when: { user }, steps: [{ say: "slow" }] }, { steps: [{ say: "otherwise" }] }]);
  expect(words(play({ ...base, user: text }))).toBe(
    `orders.yaml: the condition ${user} takes too long on this request. Write it without nested repetition.`,
  );
  expect(words(play({ ...base, user: "!" }))).toMatch(/^(otherwise|slow)$/);
});

test("a request for the correction of a call is answered only by a turn that is written for it", () => {
  const user = "This call to the tool pay does not match the tool's input schema. Its arguments were: {}";
  const others: ScriptInput["turns"] = [
    { when: { user: "pay" }, steps: [{ call: "pay", with: { cents: 100 } }] },
    { when: { user: "/./" }, steps: [{ say: "any text" }] },
    { steps: [{ say: "otherwise" }] },
  ];
  expect(words(playerOf(others)(at([], { user })))).toBe("I cannot correct it.");
  for (const own of ["This call to the tool", "/^This call to the tool/", "This call to the tool pay"]) {
    const play = playerOf([...others, { when: { user: own }, steps: [{ say: "corrected" }] }]);
    expect(words(play(at([], { user })))).toBe("corrected");
  }
});
