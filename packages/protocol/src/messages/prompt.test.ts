import { expect, test } from "vitest";
import { InvalidRequestError } from "../errors/errors.ts";
import { messageText, normalisePrompt, type Prompt } from "./prompt.ts";

const image = { type: "image", mediaType: "image/png", data: "aGVsbG8=" } as const;
const file = { type: "file", mediaType: "application/pdf", data: "aGVsbG8=", name: "a.pdf" } as const;

test("a text is one message of one part", () => {
  expect(normalisePrompt("hello ")).toEqual([{ role: "user", content: [{ type: "text", text: "hello " }] }]);
});

test("messages keep their order, and their parts of every kind", () => {
  const text = { type: "text", text: "see" } as const;
  const notes = { type: "file", mediaType: "text/markdown", data: "aGVsbG8=" } as const;
  const messages = normalisePrompt([
    { role: "user", content: "hi" },
    { role: "assistant", content: "hello" },
    { role: "user", content: [text, image, file, notes] },
  ]);
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  expect(messages[2]?.content).toEqual([text, image, file, notes]);
  expect(messages.map(messageText)).toEqual(["hi", "hello", "see"]);
});

test("a prompt without text is refused", () => {
  const empties: Prompt[] = [
    "",
    " \n",
    [],
    [{ role: "user", content: "" }],
    [{ role: "user", content: [] }],
    [{ role: "user", content: [{ type: "text", text: " " }, image] }],
  ];
  for (const prompt of empties) expect(() => normalisePrompt(prompt)).toThrow(InvalidRequestError);
});

test("a prompt that does not end with a message of the user is refused with a remedy", () => {
  expect(() => normalisePrompt([{ role: "assistant", content: "hi" }])).toThrow("must have the role user. Add one");
});

test("an error names the path of the invalid part", () => {
  const wrong: [string, unknown][] = [
    ["[0].content[0].data", [{ role: "user", content: [{ ...image, data: "a*b" }] }]],
    ["[0].content[0].data", [{ role: "user", content: [{ ...image, data: "" }] }]],
    ["[0].content[0].data", [{ role: "user", content: [{ ...file, data: "data:application/pdf;base64,aGVsbG8=" }] }]],
    ["[0].content[0].mediaType", [{ role: "user", content: [{ ...image, mediaType: "image/tiff" }] }]],
    ["[0].content[0].mediaType", [{ role: "user", content: [{ ...file, mediaType: "video/mp4" }] }]],
    ["[0].role", [{ role: "system", content: "x" }]],
    ["[0].content[0]", [{ role: "user", content: [{ type: "audio", data: "" }] }]],
    ["expected array", null],
    ["expected array", 5],
  ];
  for (const [place, prompt] of wrong) {
    expect(() => normalisePrompt(prompt as Prompt), JSON.stringify(prompt)).toThrow(InvalidRequestError);
    expect(() => normalisePrompt(prompt as Prompt)).toThrow(place);
  }
});
