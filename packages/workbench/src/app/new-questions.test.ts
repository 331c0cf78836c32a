import { expect, test } from "vitest";
import { NewQuestions } from "./new-questions.ts";

test("a question is new once, and those that were open when the page was opened are not", () => {
  const questions = new NewQuestions();
  const list = (...ids: readonly string[]) => questions.next(ids.map((id) => ({ id }))).map(({ id }) => id);
  expect(list("a")).toEqual([]);
  expect(list("a", "b")).toEqual(["b"]);
  expect(list("b")).toEqual([]);
  expect(list("a", "b")).toEqual(["a"]);
});
