import {
  AuthenticationError,
  BackendCrashError,
  BillingError,
  BudgetExceededError,
  ConfigError,
  ContextOverflowError,
  InvalidRequestError,
  ModelNotFoundError,
  NetworkError,
  OverloadedError,
  RateLimitError,
  StoppedError,
  StructuredOutputError,
  UsageLimitError,
} from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import type { HostResult } from "../messages/messages.ts";
import { classifyResult, type HostTurnFacts } from "./classify-failure.ts";

const classify = (result: Partial<HostResult>, facts: Partial<HostTurnFacts> = {}) =>
  classifyResult(
    { type: "result", subtype: "success", is_error: false, total_cost_usd: 0, modelUsage: {}, ...result },
    { auth: "session", hasBaseUrl: false, hasBegun: false, model: "sonnet", lastObject: undefined, ...facts },
  );

/** Returns a failure in the host's form: a `success` with `is_error` (observed on 2.1.330). */
const failed = (text: string, status?: number): Partial<HostResult> => ({
  is_error: true,
  result: text,
  terminal_reason: "completed",
  ...(status === undefined ? {} : { api_error_status: status }),
});

describe("a natural end", () => {
  test.each([
    [{}],
    [{ terminal_reason: "completed", stop_reason: "end_turn" }],
    [{ terminal_reason: null, stop_reason: null }],
    [{ stop_reason: "stop_sequence" }],
    [{ stop_reason: "tool_use" }],
  ])("is %j", (result) => {
    expect(classify(result)).toEqual({ reason: "natural" });
  });

  test("contains the object if there is one, even null", () => {
    expect(classify({ structured_output: { a: 1 } })).toEqual({ reason: "natural", object: { a: 1 } });
    expect(classify({ structured_output: null })).toEqual({ reason: "natural", object: null });
  });
});

describe("the end of a budget", () => {
  test.each([
    [{ subtype: "error_max_turns" }],
    [{ subtype: "error_max_turns", is_error: true }],
    [{ subtype: "error_max_budget_usd", is_error: true }],
    [{ terminal_reason: "max_turns" }],
    [{ terminal_reason: "budget_exhausted" }],
    [{ stop_reason: "max_turns" }],
    [{ stop_reason: "max_turns", terminal_reason: "completed" }],
  ])("is %j", (result) => {
    expect(classify(result)).toEqual({ reason: "budget" });
  });
});

describe("an error that the host names", () => {
  test.each([
    ["authentication_failed", AuthenticationError],
    ["oauth_org_not_allowed", AuthenticationError],
    ["account_on_hold", AuthenticationError],
    ["verification_required", AuthenticationError],
    ["cloud_credential_error", AuthenticationError],
    ["billing_error", BillingError],
    ["rate_limit", RateLimitError],
    ["model_not_found", ModelNotFoundError],
    ["max_output_tokens", BudgetExceededError],
    ["invalid_request", InvalidRequestError],
    ["overloaded", NetworkError],
    ["server_error", NetworkError],
  ])("%s is a %O", (assistantError, kind) => {
    expect(classify(failed("It failed"), { assistantError })).toBeInstanceOf(kind);
  });

  test("is a ContextOverflowError if the prompt is too long, before or after the host sent it", () => {
    const facts = { assistantError: "invalid_request" };
    expect(classify(failed("Prompt is too long"), facts)).toBeInstanceOf(ContextOverflowError);
    expect(classify(failed("prompt is too long: 2 > 1", 400), facts)).toBeInstanceOf(ContextOverflowError);
  });

  test("counts although the result reports success", () => {
    const result = { is_error: false, terminal_reason: "completed", stop_reason: "end_turn", result: "No." };
    expect(classify(result, { assistantError: "billing_error" })).toBeInstanceOf(BillingError);
  });

  test("comes before subtype, terminal reason and stop reason", () => {
    const result = { ...failed("No."), subtype: "odd", terminal_reason: "odder", stop_reason: "oddest" };
    expect(classify(result, { assistantError: "authentication_failed" })).toBeInstanceOf(AuthenticationError);
  });

  test("is an OverloadedError if the service answered, otherwise a lost connection", () => {
    const facts = { assistantError: "server_error" };
    expect(classify(failed("API Error: 529", 529), facts)).toBeInstanceOf(OverloadedError);
    expect(classify(failed("Connection error"), facts)).toBeInstanceOf(NetworkError);
  });
});

describe("an error with only a status", () => {
  test.each([
    [400, InvalidRequestError],
    [401, AuthenticationError],
    [402, BillingError],
    [403, AuthenticationError],
    [404, ModelNotFoundError],
    [409, InvalidRequestError],
    [413, ContextOverflowError],
    [429, RateLimitError],
    [500, OverloadedError],
    [503, OverloadedError],
    [529, OverloadedError],
  ])("%s is a %O", (status, kind) => {
    expect(classify(failed("It failed", status))).toBeInstanceOf(kind);
    expect(classify(failed("It failed", status), { assistantError: "invalid_request" })).toBeInstanceOf(kind);
  });
});

describe("an error with neither", () => {
  test.each([
    [failed("Connection error: ECONNRESET"), NetworkError],
    [failed("Request timed out"), NetworkError],
    [{ ...failed("I cannot help"), stop_reason: "refusal" }, InvalidRequestError],
    [{ ...failed("No credit balance here"), stop_reason: "refusal" }, InvalidRequestError],
    [{ ...failed("Interrupted"), terminal_reason: "aborted_streaming" }, StoppedError],
    [{ ...failed("Too long"), terminal_reason: "prompt_too_long" }, ContextOverflowError],
    [failed("Something else"), BackendCrashError],
  ])("%j is a %O", (result, kind) => {
    expect(classify(result)).toBeInstanceOf(kind);
  });
});

describe("an unknown value", () => {
  test.each([
    [{ subtype: "error_of_next_year" }, "error_of_next_year"],
    [{ subtype: "error_during_execution", errors: ["No conversation found"] }, "error_during_execution"],
    [{ terminal_reason: "tired" }, "tired"],
    [{ stop_reason: "pause_turn" }, "pause_turn"],
    [{ stop_reason: "brand_new" }, "brand_new"],
    [{ is_error: true, terminal_reason: "tired" }, "tired"],
    [{ is_error: true, subtype: "error_during_execution", startup_failure_reason: "no_disk" }, "no_disk"],
  ])("%j is a BackendCrashError that names it", (result, value) => {
    const error = classify(result);
    expect(error).toBeInstanceOf(BackendCrashError);
    expect(error).toHaveProperty("message", expect.stringContaining(value));
  });

  test("in the host's name of an error is contained in the message", () => {
    const error = classify(failed("It failed"), { assistantError: "a_new_kind" });
    expect(error).toHaveProperty("message", expect.stringContaining("a_new_kind"));
  });
});

describe("an answer that is missing", () => {
  test("because of its length is a BudgetExceededError", () => {
    expect(classify({ stop_reason: "max_tokens" })).toBeInstanceOf(BudgetExceededError);
  });

  test("because the model declined is an InvalidRequestError", () => {
    expect(classify({ stop_reason: "refusal" })).toBeInstanceOf(InvalidRequestError);
  });
});

describe("an error with a remedy", () => {
  test.each([
    ["billing_error", undefined, "Add credit to it, or choose another account or backend in llm.provider."],
    [undefined, 402, "Add credit to it, or choose another account or backend in llm.provider."],
    ["server_error", undefined, "Check the network, and llm.provider.baseUrl if it is set."],
    ["model_not_found", 404, "It failed. Known: opus, sonnet, haiku"],
  ])("contains the remedy: %s, status %s", (assistantError, status, remedy) => {
    const facts = { model: "claude-of-next-year", ...(assistantError !== undefined && { assistantError }) };
    expect(classify(failed("It failed.", status), facts)).toHaveProperty("message", expect.stringContaining(remedy));
  });
});

describe("a refused login", () => {
  test("contains the remedy of the auth mode", () => {
    const error = (auth: HostTurnFacts["auth"]) =>
      classify(failed("Not logged in · Please run /login"), { auth, assistantError: "authentication_failed" });
    expect(error("session")).toHaveProperty(
      "message",
      'Claude Code is not logged in (auth: session). Run "claude" once and log in, or choose another auth mode or backend in bridle.yaml.',
    );
    expect(error("oauth_token")).toHaveProperty("message", expect.stringContaining("claude setup-token"));
  });

  test("quotes the host if there is a login", () => {
    expect(classify(failed("Invalid bearer token", 401))).toHaveProperty(
      "message",
      expect.stringContaining("Claude Code was refused: Invalid bearer token (auth: session)"),
    );
  });
});

describe("a rate limit", () => {
  const facts = (limit: NonNullable<HostTurnFacts["limit"]>) => ({ assistantError: "rate_limit", limit });

  test("of a used-up subscription window is a UsageLimitError with the window and its reset", () => {
    const limit = { status: "rejected", resetsAt: 1_800_000_000, rateLimitType: "seven_day" };
    expect(classify(failed("Limit", 429), facts(limit))).toMatchObject({
      code: "usage_limit",
      window: "seven_day",
      resetsAt: new Date(1_800_000_000_000),
    });
    const error = classify(failed("Limit", 429), facts({ status: "rejected", rateLimitType: "five_hour" }));
    expect(error).toBeInstanceOf(UsageLimitError);
    expect(error).toHaveProperty("resetsAt", undefined);
  });

  test("is a RateLimitError if no window is used up", () => {
    for (const limit of [{ status: "allowed" }, { status: "allowed_warning", resetsAt: 1 }, { status: "rejected" }]) {
      expect(classify(failed("Slow down", 429), facts(limit))).toBeInstanceOf(RateLimitError);
    }
  });
});

describe("an object that never matches its schema", () => {
  const result = { subtype: "error_max_structured_output_retries", is_error: true, errors: ["Failed 3 times"] };

  test("is a StructuredOutputError with the last attempt and its issues, by path", () => {
    const problem =
      "Output does not match required schema: /age: must be number, /name/first: must be string, root: odd";
    const error = classify(result, { lastObject: { input: { age: "x" }, problem } });
    expect(error).toBeInstanceOf(StructuredOutputError);
    expect(error).toMatchObject({
      text: '{"age":"x"}',
      issues: [
        { path: "age", message: "must be number" },
        { path: "name.first", message: "must be string" },
        { path: "", message: "odd" },
      ],
    });
  });

  test("is a StructuredOutputError even without an attempt", () => {
    expect(classify(result)).toMatchObject({ code: "structured_output", text: "" });
    expect(classify({ terminal_reason: "structured_output_retry_exhausted" })).toBeInstanceOf(StructuredOutputError);
  });
});

describe("at a base URL", () => {
  const elsewhere: Partial<HostTurnFacts> = { auth: "api_key", hasBaseUrl: true };
  const strange = failed("API Error: API returned an empty or malformed response (HTTP 200); 0 stream events received");
  const bare404 = failed("There's an issue with the selected model", 404);
  const explained404 = { ...bare404, api_error_type: "not_found_error" };

  test.each([
    ["a response in another protocol", strange],
    ["a 404 without a reason", bare404],
  ])("%s is a ConfigError about the address", (_, result) => {
    expect(classify(result, elsewhere)).toBeInstanceOf(ConfigError);
    expect(classify(result, elsewhere)).toMatchObject({ field: "llm.provider.baseUrl" });
  });

  test("the error for an unknown model also mentions the address", () => {
    for (const assistantError of ["model_not_found", "unknown"]) {
      const error = classify(explained404, { ...elsewhere, assistantError });
      expect(error).toBeInstanceOf(ModelNotFoundError);
      expect(error).toHaveProperty("message", expect.stringContaining("llm.provider.baseUrl"));
    }
  });

  test("an address that has begun to answer is not blamed", () => {
    const begun = { ...elsewhere, hasBegun: true };
    expect(classify(strange, begun)).toBeInstanceOf(NetworkError);
    expect(classify(bare404, begun)).toBeInstanceOf(ModelNotFoundError);
  });

  test("an address that is not set is not mentioned", () => {
    expect(classify(strange, { auth: "api_key" })).toBeInstanceOf(NetworkError);
    expect(classify(bare404, { auth: "api_key" })).not.toHaveProperty("message", expect.stringContaining("baseUrl"));
  });

  test("a cloud's 404 is about the model", () => {
    expect(classify(bare404, { auth: "bedrock", hasBaseUrl: true })).toBeInstanceOf(ModelNotFoundError);
  });
});
