import type { PromptPart } from "@bridle/protocol";
import { expect, test } from "vitest";
import { toHostMessage } from "./prompt.ts";

const content = (part: PromptPart) => toHostMessage({ role: "user", content: [part] }).message.content;
const base64 = (text: string) => Buffer.from(text).toString("base64");

test("parts keep their order in one message of the user", () => {
  const message = toHostMessage({
    role: "user",
    content: [
      { type: "text", text: "Look" },
      { type: "image", mediaType: "image/png", data: "aW1n" },
      { type: "text", text: "again" },
    ],
  });
  expect(message).toEqual({
    type: "user",
    parent_tool_use_id: null,
    message: {
      role: "user",
      content: [
        { type: "text", text: "Look" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: "aW1n" } },
        { type: "text", text: "again" },
      ],
    },
  });
});

test("a PDF stays unchanged", () => {
  expect(content({ type: "file", mediaType: "application/pdf", data: "JVBERi0=", name: "bill.pdf" })).toEqual([
    {
      type: "document",
      source: { type: "base64", media_type: "application/pdf", data: "JVBERi0=" },
      title: "bill.pdf",
    },
  ]);
});

test("a text file of any kind becomes a plain text document, in UTF-8", () => {
  expect(content({ type: "file", mediaType: "text/csv", data: base64("größe;1\n") })).toEqual([
    { type: "document", source: { type: "text", media_type: "text/plain", data: "größe;1\n" } },
  ]);
});
