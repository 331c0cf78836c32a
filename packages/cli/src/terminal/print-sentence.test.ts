import { expect, test } from "vitest";
import { printSentence } from "./print-sentence.ts";

function said(text: string, columns?: number): string {
  let all = "";
  const write = (part: string) => {
    all += part;
  };
  printSentence(text, { write, isTTY: columns !== undefined, columns });
  return all;
}

const sentence = "The backend x cannot be reached. Check the network.";

test("the reason of an end is printed whole, and wrapped on a terminal", () => {
  expect(said(sentence, 20)).toBe("The backend x cannot\nbe reached. Check\nthe network.\n");
  expect(said(sentence)).toBe(`${sentence}\n`);
});

test("line breaks are kept, and control characters are shown as escapes", () => {
  expect(said("a\u001b[2J b\n  - c", 20)).toBe("a\\u{1b}[2J b\n  - c\n");
});
