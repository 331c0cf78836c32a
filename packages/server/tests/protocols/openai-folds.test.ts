import { expect, test } from "vitest";
import { ChatFold } from "../../src/protocols/openai/chat-fold.ts";
import { ResponseFold } from "../../src/protocols/openai/response-fold.ts";
import { type RecordingName, recordings } from "../support/recorded-events.ts";

const head = { id: "resp_1", model: "agent", createdAt: 1, conversation: "ses_1" };

/** Folds the events after an event, and returns the events of the response and the response. */
function fold(name: RecordingName, { after = 0, showsReasoning = true } = {}) {
  const responses = new ResponseFold(head, { showsReasoning });
  for (const event of recordings[name]) if (event.seq <= after) responses.skip(event);
  const told = responses.begin();
  for (const event of recordings[name]) if (event.seq > after && !responses.isOver) told.push(...responses.next(event));
  expect(told.map((each) => each.sequence_number)).toEqual(told.map((_, index) => index));
  return { told, types: told.map(({ type }) => type.replace("response.", "")), response: responses.response };
}

const message = (text: string, status = "completed") => ({ type: "message", status, content: [{ text }] });
const call = { type: "mcp_call", server_label: "bridle", name: "lookup", arguments: '{"id":"7"}' };

test.each<[RecordingName, string, object[]]>([
  ["text", "completed", [message("Hello.")]],
  ["text that was not streamed", "completed", [message("Hello.")]],
  ["text that is not what was streamed", "completed", [message("My key is [secret]")]],
  ["reasoning", "completed", [{ type: "reasoning", content: [{ text: "Hm." }] }, message("Hello.")]],
  ["a call", "completed", [message("I look."), { ...call, status: "completed", output: "On its way." }]],
  ["a call that fails", "completed", [{ ...call, status: "failed", error: { content: [{ text: "Out of order." }] } }]],
  ["a call that the rules deny", "completed", [{ ...call, status: "failed" }]],
  [
    "a question with an edited answer",
    "completed",
    [{ type: "mcp_approval_request", id: "a1", arguments: '{"id":"7"}' }],
  ],
  ["a response that is requested again", "completed", [message("It is day.")]],
  ["a retry between responses", "completed", [message("One.")]],
  ["a stop in a text", "cancelled", [message("Once upon", "incomplete")]],
  ["an error", "failed", []],
  ["a budget", "incomplete", [message("One.")]],
  ["an object", "completed", [message('{"total":7}')]],
])("a response has items for %s", (name, status, output) => {
  const { response, types } = fold(name);
  expect(response).toMatchObject({ status, output });
  expect(types.slice(0, 2)).toEqual(["created", "in_progress"]);
  expect(types.at(-1)).toBe(status === "cancelled" ? "incomplete" : status);
});

test("the events of a text are those of OpenAI, in their order", () => {
  const textTypes = ["output_item.added", "content_part.added", "output_text.delta", "output_text.delta"];
  const ends = ["output_text.done", "content_part.done", "output_item.done"];
  expect(fold("text").types).toEqual(["created", "in_progress", ...textTypes, ...ends, "completed"]);
  const failed = fold("an error").response;
  expect(failed.error).toEqual({ code: "server_error", message: "Overloaded." });
  expect(fold("a budget").response.incomplete_details).toEqual({ reason: "max_output_tokens" });
});

test("the response after a question has the call with the input that a person entered, and the tokens of its own", () => {
  const { response } = fold("a question with an edited answer", { after: 5 });
  expect(response.output).toMatchObject([
    { ...call, arguments: '{"id":"9"}', approval_request_id: "a1", output: "Nine." },
  ]);
  expect(response.usage?.total_tokens).toBe(0);
  expect(fold("a question with an edited answer").response.usage).toMatchObject({
    input_tokens: 130,
    output_tokens: 5,
  });
});

test("reasoning is left out unless it is allowed", () => {
  expect(fold("reasoning", { showsReasoning: false }).response.output).toMatchObject([message("Hello.")]);
});

test.each<[RecordingName, string[], string]>([
  ["text", ["Hello."], "stop"],
  ["text that is not what was streamed", ["My key is [secret]"], "stop"],
  ["a response that is requested again", ["It is day."], "stop"],
  ["a budget", ["One."], "length"],
  ["an object", ['{"total":7}'], "stop"],
])("a chat completion has the text of finished responses: %s", (name, texts, finish) => {
  const chat = new ChatFold({ id: "chatcmpl-1", model: "agent", createdAt: 1 });
  const chunks = [
    ...chat.begin(),
    ...recordings[name].flatMap((event) => chat.next(event)),
    ...chat.end({ withUsage: false }),
  ];
  expect(chunks.flatMap((chunk) => chunk.choices.map(({ delta }) => delta.content ?? "")).filter(Boolean)).toEqual(
    texts,
  );
  expect(chunks.at(-1)?.choices).toMatchObject([{ finish_reason: finish }]);
  expect(chat.completion().choices[0]?.message.content).toBe(texts.join("\n\n"));
});
