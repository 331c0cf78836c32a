import { ConfigError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { type ClaudeAuthMode, type ClaudeCodeOptions, type ClaudeEnvironment, claudeAuthModes } from "../options.ts";
import { hostEnvironment } from "./environment.ts";

const plain = { promptCaching: true };

/** Returns those of the environment's variables that the host gets, without those that Bridle sets. */
function passed(
  environment: ClaudeEnvironment,
  options: Omit<ClaudeCodeOptions, "auth" | "environment"> & { auth?: ClaudeAuthMode } = {},
) {
  const ownNames = Object.keys(hostEnvironment({ auth: "session", environment: {} }, plain));
  const whole = hostEnvironment({ auth: "session", environment, ...options }, plain);
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !ownNames.includes(name)));
}

/** Every variable that an auth mode reads, with a value that contains its name. */
const credentials = Object.fromEntries(
  [
    "ANTHROPIC_API_KEY",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "ANTHROPIC_VERTEX_PROJECT_ID",
    "CLOUD_ML_REGION",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GOOGLE_CLOUD_PROJECT",
    "AWS_REGION",
    "AWS_ACCESS_KEY_ID",
    "AWS_PROFILE",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_BEARER_TOKEN_BEDROCK",
    "ANTHROPIC_FOUNDRY_RESOURCE",
    "ANTHROPIC_FOUNDRY_API_KEY",
    "AZURE_CLIENT_ID",
    "AZURE_CLIENT_SECRET",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_BASE_URL",
  ].map((name) => [name, `the ${name}`]),
);

test("variables about paths, language and network are passed", () => {
  const wanted = {
    PATH: "/bin",
    HOME: "/home/ada",
    USER: "ada",
    SHELL: "/bin/sh",
    TERM: "xterm",
    TZ: "UTC",
    TMPDIR: "/tmp",
    LANG: "C",
    LC_ALL: "C.UTF-8",
    LC_TIME: "de_DE",
    XDG_CONFIG_HOME: "/x",
    CLAUDE_CONFIG_DIR: "/home/ada/.claude",
    HTTP_PROXY: "http://p",
    HTTPS_PROXY: "http://p",
    NO_PROXY: "localhost",
    http_proxy: "http://p",
    https_proxy: "http://p",
    no_proxy: "*",
    NODE_EXTRA_CA_CERTS: "/ca.pem",
    SSL_CERT_FILE: "/c",
    SSL_CERT_DIR: "/d",
  };
  expect(passed(wanted)).toEqual(wanted);
});

test("the names of Windows are passed in any case", () => {
  const wanted = {
    Path: "C:\\bin",
    USERPROFILE: "C:\\ada",
    SystemRoot: "C:\\Windows",
    ComSpec: "cmd",
    LocalAppData: "C:\\l",
  };
  expect(passed(wanted)).toEqual(wanted);
});

test("every other variable is dropped", () => {
  const unwanted = {
    CLAUDE_CODE_USE_FOUNDRY: "1",
    CLAUDE_CODE_API_BASE_URL: "http://x",
    ANTHROPIC_DEFAULT_SONNET_MODEL: "x",
    ANTHROPIC_CUSTOM_HEADERS: "a: b",
    CLAUDE_CODE_EXTRA_BODY: "{}",
    CLAUDECODE: "1",
    NODE_OPTIONS: "--require x",
    CLAUDE_CODE_A_NAME_OF_NEXT_YEAR: "1",
    GITHUB_TOKEN: "t",
    DATABASE_URL: "d",
    LD_PRELOAD: "x",
    MY_SECRET: "s",
    ENABLE_LSP_TOOL: "1",
    BASH_ENV: "x",
    CLAUDE_CODE_SHELL: "zsh",
    DEBUG: "*",
    ALL_PROXY: "socks://x",
    HOMER: "no",
    ...credentials,
  };
  expect(passed(unwanted)).toEqual({});
});

test("a variable without a value is not passed", () => {
  expect(passed({ HOME: undefined, PATH: "/bin" }, { extraEnvironment: { MINE: undefined } })).toEqual({
    PATH: "/bin",
  });
});

test("variables that close holes are always set, and a caller cannot unset them", () => {
  const names = {
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
    DISABLE_COMPACT: "1",
    ENABLE_TOOL_SEARCH: "false",
  };
  expect(hostEnvironment({ auth: "session", environment: {} }, plain)).toEqual(names);
  const contrary = Object.fromEntries(Object.keys(names).map((name) => [name, "contrary"]));
  const options = { auth: "session", environment: contrary, extraEnvironment: contrary } as const;
  expect(hostEnvironment(options, plain)).toEqual(names);
});

test("a caller's variables are added and override those of the machine", () => {
  const extraEnvironment = { CLAUDE_CODE_MAX_RETRIES: "0", TZ: "Asia/Tokyo" };
  expect(passed({ TZ: "UTC" }, { extraEnvironment })).toEqual(extraEnvironment);
});

test.each([...Object.keys(credentials), "anthropic_api_key", "CLAUDE_CODE_USE_BEDROCK", "CLAUDECODE"])(
  "a caller that adds %s gets a ConfigError that names it",
  (name) => {
    for (const auth of claudeAuthModes) {
      const options = { auth, environment: credentials, extraEnvironment: { TZ: "UTC", [name]: "x" } };
      expect(() => hostEnvironment(options, plain)).toThrow(ConfigError);
      expect(() => hostEnvironment(options, plain)).toThrow(`The variable ${name} must not be passed to Claude Code`);
    }
  },
);

test("each auth mode gets only its own variables", () => {
  const names = Object.fromEntries(
    claudeAuthModes.map((auth) => [auth, Object.keys(passed(credentials, { auth })).sort().join(" ")]),
  );
  expect(names).toEqual({
    session: "",
    api_key: "ANTHROPIC_API_KEY",
    oauth_token: "CLAUDE_CODE_OAUTH_TOKEN",
    bedrock:
      "AWS_ACCESS_KEY_ID AWS_BEARER_TOKEN_BEDROCK AWS_PROFILE AWS_REGION AWS_SECRET_ACCESS_KEY CLAUDE_CODE_USE_BEDROCK",
    vertex:
      "ANTHROPIC_VERTEX_PROJECT_ID CLAUDE_CODE_USE_VERTEX CLOUD_ML_REGION GOOGLE_APPLICATION_CREDENTIALS GOOGLE_CLOUD_PROJECT",
    foundry:
      "ANTHROPIC_FOUNDRY_API_KEY ANTHROPIC_FOUNDRY_RESOURCE AZURE_CLIENT_ID AZURE_CLIENT_SECRET CLAUDE_CODE_USE_FOUNDRY",
  });
});

test("variables for the host's tools override those of the machine, and may be empty", () => {
  const forTools = { TZ: "Asia/Tokyo", PGHOST: "db", EMPTY: "" };
  expect(hostEnvironment({ auth: "session", environment: { TZ: "UTC" } }, { ...plain, forTools })).toMatchObject(
    forTools,
  );
});

test.each([
  ...Object.keys(credentials),
  "HOME",
  "https_proxy",
  "NODE_OPTIONS",
  "LD_PRELOAD",
  "CLAUDE_CONFIG_DIR",
  "CLAUDE_CODE_A_NAME_OF_NEXT_YEAR",
  "DISABLE_COMPACT",
  "ENABLE_TOOL_SEARCH",
  "MCP_TIMEOUT",
  "DEBUG",
  "GOOGLE_CLOUD_QUOTA_PROJECT",
])("a caller that passes %s to the host's tools gets a ConfigError that names it", (name) => {
  const open = () =>
    hostEnvironment({ auth: "session", environment: {} }, { ...plain, forTools: { TZ: "UTC", [name]: "" } });
  expect(open).toThrow(ConfigError);
  expect(open).toThrow(`The variable ${name} must not be passed to Claude Code's tools`);
});

test("a conversation's settings override the caller's variables", () => {
  const options = {
    auth: "session",
    environment: {},
    extraEnvironment: { CLAUDE_CODE_MAX_OUTPUT_TOKENS: "1" },
  } as const;
  const conversation = { promptCaching: false, maxOutputTokens: 500, structuredOutputAttempts: 3 };
  expect(hostEnvironment(options, conversation)).toMatchObject({
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: "500",
    DISABLE_PROMPT_CACHING: "1",
    MAX_STRUCTURED_OUTPUT_RETRIES: "3",
  });
});

test("a configured folder replaces the user's", () => {
  expect(passed({ CLAUDE_CONFIG_DIR: "/home/ada/.claude" }, { configDir: "/tmp/other" })).toEqual({
    CLAUDE_CONFIG_DIR: "/tmp/other",
  });
});
