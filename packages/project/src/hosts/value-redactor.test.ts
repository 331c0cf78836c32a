// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import { inspect } from "node:util";
import { createRedactor } from "@bridle/core";
import { BoundaryError, ModelNotFoundError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { createValueRedactor } from "./value-redactor.ts";

test("a value is replaced in any text, and every part of an address too", () => {
  const { text } = createValueRedactor([{ value: "https://ada:pass%20word@gateway.example/v1", shown: "${U}" }]);
  expect(text("to https://ada:pass%20word@gateway.example/v1!")).toBe("to ${U}!");
  expect(text("no gateway.example; pass word, pass%20word")).toBe("no ${U}; ${U}, ${U}");
});

test("a short value is replaced only if it is a whole word or in quotes", () => {
  const { text } = createValueRedactor([{ value: "opus", shown: "${MODEL}" }]);
  expect(text("opus")).toBe("${MODEL}");
  expect(text('"opus", as in claude-opus-5 and magnum opus')).toBe('"${MODEL}", as in claude-opus-5 and magnum opus');
});

test("all texts of an error are rewritten, including its causes", () => {
  const { error } = createValueRedactor([{ value: "s3cr3t-model", shown: "${S}" }]);
  const cause = new BoundaryError("s3cr3t-model came up", ["model: s3cr3t-model"]);
  const found = new ModelNotFoundError('The model "s3cr3t-model" is not there.', "s3cr3t-model", [], { cause });
  error(found);
  expect(found).toMatchObject({ message: 'The model "${S}" is not there.', model: "${S}" });
  expect(cause).toMatchObject({ message: "${S} came up", differences: ["model: ${S}"] });
  expect(`${found.stack}${cause.stack}`).not.toContain("s3cr3t");
});

test("a host's answer is rewritten, even deep in the causes, and circular causes end", () => {
  const { error } = createValueRedactor([{ value: "sk-secret-1", shown: "${KEY}" }]);
  const answer = { status: 401, body: { error: { message: "no sk-secret-1" } }, tries: [new Error("sk-secret-1")] };
  const cause: Error & { self?: unknown } = new Error("refused", { cause: answer });
  cause.self = cause;
  const found = new Error("it failed", { cause });
  error(found);
  expect(inspect(found, { depth: 20 })).not.toContain("sk-secret-1");
  expect(answer.body.error.message).toBe("no ${KEY}");
});

test("a credential that is not in the file is removed from an error, too", () => {
  const { text } = createValueRedactor([{ value: "s3cr3t-model", shown: "${S}" }], createRedactor().text);
  expect(text(`s3cr3t-model refuses ghp_${"aB3dE5gH7j".repeat(3)}`)).toBe("${S} refuses [secret: 34 characters]");
});
