import { ConfigError } from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { type ClaudeAuthMode, claudeAuthModes } from "../options.ts";
import {
  acceptsKeySource,
  authAdvice,
  authVariables,
  isSubscription,
  missingVariables,
  unusedCredentials,
} from "./auth-modes.ts";

const complete: Readonly<Record<ClaudeAuthMode, Readonly<Record<string, string>>>> = {
  session: {},
  api_key: { ANTHROPIC_API_KEY: "key" },
  oauth_token: { CLAUDE_CODE_OAUTH_TOKEN: "token" },
  bedrock: { AWS_REGION: "eu-central-1" },
  vertex: { ANTHROPIC_VERTEX_PROJECT_ID: "project", CLOUD_ML_REGION: "europe-west1" },
  foundry: { ANTHROPIC_FOUNDRY_RESOURCE: "resource" },
};

const switches: Partial<Record<ClaudeAuthMode, Record<string, string>>> = {
  bedrock: { CLAUDE_CODE_USE_BEDROCK: "1" },
  vertex: { CLAUDE_CODE_USE_VERTEX: "1" },
  foundry: { CLAUDE_CODE_USE_FOUNDRY: "1" },
};

describe.each(claudeAuthModes)("auth: %s", (mode) => {
  test("reads its variables and switches its provider on", () => {
    const everything = Object.assign({ UNRELATED: "x" }, ...Object.values(complete));
    expect(authVariables(mode, everything)).toEqual({ ...complete[mode], ...switches[mode] });
    expect(missingVariables(mode, everything)).toEqual([]);
  });

  test("names a missing variable before anything starts", () => {
    for (const name of Object.keys(complete[mode])) {
      for (const value of [undefined, ""]) {
        const environment = { ...complete[mode], [name]: value };
        expect(() => authVariables(mode, environment)).toThrow(ConfigError);
        expect(() => authVariables(mode, environment)).toThrow(new RegExp(`auth: ${mode} needs .*${name}`));
      }
    }
  });

  test("has a remedy if the host refuses the credentials", () => {
    expect(authAdvice(mode)).toMatch(/\.$/);
  });
});

test("a base URL is passed in the variable of the mode", () => {
  const at = (mode: ClaudeAuthMode) => authVariables(mode, complete[mode], "http://here");
  expect(at("api_key")).toMatchObject({ ANTHROPIC_BASE_URL: "http://here" });
  expect(at("oauth_token")).toMatchObject({ ANTHROPIC_BASE_URL: "http://here" });
  expect(at("bedrock")).toMatchObject({ ANTHROPIC_BEDROCK_BASE_URL: "http://here" });
  expect(at("vertex")).toMatchObject({ ANTHROPIC_VERTEX_BASE_URL: "http://here" });
  expect(at("foundry")).toMatchObject({ ANTHROPIC_FOUNDRY_BASE_URL: "http://here" });
});

test("a base URL with auth: session is a ConfigError that does not quote the URL", () => {
  expect(() => authVariables("session", {}, "http://elsewhere")).toThrow(ConfigError);
  expect(() => authVariables("session", {}, "http://elsewhere")).not.toThrow("elsewhere");
});

test("if either of two variables is enough, the error names both, and a base URL replaces them", () => {
  expect(missingVariables("foundry", {})).toEqual(["ANTHROPIC_FOUNDRY_RESOURCE or ANTHROPIC_FOUNDRY_BASE_URL"]);
  expect(missingVariables("foundry", { ANTHROPIC_FOUNDRY_BASE_URL: "http://here" })).toEqual([]);
  expect(authVariables("foundry", {}, "http://here")).toMatchObject({ ANTHROPIC_FOUNDRY_BASE_URL: "http://here" });
});

test("unused credentials are listed by name, without their values", () => {
  const environment = { ANTHROPIC_API_KEY: "secret", ANTHROPIC_AUTH_TOKEN: "secret", CLAUDE_CODE_OAUTH_TOKEN: "" };
  expect(unusedCredentials("session", environment)).toEqual(["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"]);
  expect(unusedCredentials("api_key", environment)).toEqual(["ANTHROPIC_AUTH_TOKEN"]);
  expect(unusedCredentials("oauth_token", { CLAUDE_CODE_OAUTH_TOKEN: "secret" })).toEqual([]);
});

test("each mode accepts credentials only from its own source", () => {
  const sources = ["none", "/login managed key", "ANTHROPIC_API_KEY", "apiKeyHelper", "user", "project"];
  const accepted = Object.fromEntries(
    claudeAuthModes.map((mode) => [mode, sources.filter((source) => acceptsKeySource(mode, source))]),
  );
  expect(accepted).toEqual({
    session: ["none", "/login managed key"],
    api_key: ["ANTHROPIC_API_KEY"],
    oauth_token: ["none"],
    bedrock: ["none"],
    vertex: ["none"],
    foundry: ["none"],
  });
});

test("costs are an estimate only with a subscription", () => {
  expect(claudeAuthModes.filter(isSubscription)).toEqual(["session", "oauth_token"]);
});
