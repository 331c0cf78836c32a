import { describe, expect, test } from "vitest";
import type { SessionEntry } from "../connection/session-entries.ts";
import { AnswerSpeech } from "./answer-speech.ts";
import { takeSentences, toSpeech } from "./sentences.ts";

const answer = (text: string, complete = false): SessionEntry => ({
  kind: "text",
  text,
  complete,
  step: 1,
  runId: "r",
  seq: 1,
  time: 0,
});

describe("what is read out of an answer", () => {
  test("a growing answer is read by sentence, and its end when it is complete", () => {
    const speech = new AnswerSpeech([]);
    const heard = ["Your", "Your order is on its way. It", "Your order is on its way. It comes tomorrow. An"].map(
      (text) => speech.next([answer(text)]),
    );
    expect(heard).toEqual([[], ["Your order is on its way."], ["It comes tomorrow."]]);
    expect(speech.next([answer("Your order is on its way. It comes tomorrow. And more", true)])).toEqual(["And more"]);
    expect(speech.next([answer("Your order is on its way. It comes tomorrow. And more", true)])).toEqual([]);
  });

  test("what was there before is not read, and what follows is", () => {
    const known = [answer("Old.", true)];
    const speech = new AnswerSpeech(known);
    expect(speech.next(known)).toEqual([]);
    expect(speech.next([...known, answer("New.", true), answer("And")])).toEqual(["New."]);
  });

  test("an answer that was half there is read from there on", () => {
    const speech = new AnswerSpeech([answer("One. Tw")]);
    expect(speech.next([answer("One. Two. Three", true)])).toEqual(["Two.", "Three"]);
  });

  test("a response that is requested again is read from its beginning", () => {
    const speech = new AnswerSpeech([]);
    speech.next([answer("Void. ")]);
    speech.next([]);
    expect(speech.next([answer("Whole. And")])).toEqual(["Whole."]);
  });

  test("sentences end at signs of several writings and at lines, and not within numbers", () => {
    expect(takeSentences("It costs 3.50. Really?\n- one\n好的。不", 0).sentences.map(toSpeech)).toEqual([
      "It costs 3.50.",
      "Really?",
      "",
      "one",
      "好的。",
    ]);
  });

  test("hidden characters of an answer are heard, and the parts of an emoji are not", () => {
    expect(toSpeech("Pay \u202e001\u200b now 👩‍💻")).toBe("Pay \\u{202e}001\\u{200b} now 👩‍💻");
  });

  test("signs of Markdown are not read", () => {
    expect(toSpeech("## It is **on its way** to [Bonn](https://example.org), `A-1`")).toBe(
      "It is on its way to Bonn, A-1",
    );
  });
});
