import { expect, test, vi } from "vitest";
import { errorReportSchema } from "../events/events.ts";
import * as errors from "./errors.ts";
import * as storeErrors from "./store-errors.ts";

const one: readonly errors.BridleError[] = [
  new errors.ConfigError("no", { position: { file: "bridle.yaml", line: 3, column: 5 }, field: "llm" }),
  new errors.AuthenticationError("no"),
  new errors.BoundaryError("no", ["a hook"]),
  new errors.UsageLimitError("no", { resetsAt: new Date(0), window: "five_hour" }),
  new errors.RateLimitError("no"),
  new errors.OverloadedError("no"),
  new errors.NetworkError("no"),
  new errors.TimeoutError("no"),
  new errors.BillingError("no"),
  new errors.ModelNotFoundError("no", "opsu", ["opus"]),
  new errors.NotFoundError("no"),
  new errors.ContextOverflowError("no"),
  new errors.InvalidRequestError("no"),
  new errors.StructuredOutputError("no", "text", [{ path: "a", message: "b" }]),
  new errors.ToolSchemaError("no", "t", { field: "f" }),
  new errors.BudgetExceededError("no"),
  new errors.StoppedError("no"),
  new errors.BackendCrashError("no"),
  new errors.UnsupportedFeatureError("b", "f", "no"),
  new storeErrors.StoreError("no", "state.db"),
  new storeErrors.StoreFullError("folder"),
  new storeErrors.StoreReadOnlyError("folder"),
  new storeErrors.StoreCorruptError("state.db"),
  new storeErrors.StoreVersionError("state.db", 2, 1),
  new storeErrors.StoreBusyError("no", "state.db"),
  new storeErrors.ProcessDiedError("the process 7"),
];

test("every error code has a class", () => {
  expect(one.map(({ code }) => code).sort()).toEqual([...errors.errorCodes].sort());
});

for (const error of one) {
  test(`${error.name} keeps name, code, message and retryable as JSON, and no stack`, () => {
    const json = JSON.parse(JSON.stringify({ error })).error;
    const { name, code, message, retryable } = error;
    expect(json).toMatchObject({ name, code, message, retryable });
    expect(errorReportSchema.parse(json)).toEqual(json);
    expect(JSON.stringify(json)).not.toMatch(/stack|errors\.test/);
  });
}

test("the fields of a class are in its JSON, and a cause is not", () => {
  const limit = new errors.UsageLimitError("no", { resetsAt: new Date(0), runId: "run_1", cause: new Error("secret") });
  expect(JSON.parse(JSON.stringify(limit))).toEqual({
    name: "UsageLimitError",
    code: "usage_limit",
    message: "no",
    retryable: true,
    runId: "run_1",
    resetsAt: "1970-01-01T00:00:00.000Z",
  });
  expect(limit.cause).toEqual(new Error("secret"));
});

test("an error of another copy of the package is a BridleError", async () => {
  vi.resetModules();
  const other = await import("./errors.ts");
  const foreign = new other.NetworkError("no");
  expect(foreign).not.toBeInstanceOf(errors.BridleError);
  expect(errors.isBridleError(foreign)).toBe(true);
});

test("other values are not a BridleError", () => {
  for (const value of [undefined, null, "x", new Error("x"), { code: "config" }]) {
    expect(errors.isBridleError(value)).toBe(false);
  }
});

test("a message begins with the position, in the form that editors link", () => {
  expect(one[0]?.message).toBe("bridle.yaml:3:5: no");
  expect(errors.formatPosition({ file: "a.yaml" })).toBe("a.yaml");
});
