// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import { ConfigError, defaultPromptCaching } from "@bridle/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseConfig } from "./parse.ts";

function failure(text: string, environment = {}): ConfigError {
  try {
    parseConfig(text, "bridle.yaml", environment);
  } catch (error) {
    if (error instanceof ConfigError) return error;
  }
  throw new Error("There was no ConfigError.");
}

test("an empty file has the defaults", () => {
  const { config } = parseConfig("", "bridle.yaml", {});
  expect(config).toEqual({
    llm: { provider: { backend: "claude-code", auth: "session" }, promptCaching: {}, limits: {} },
  });
});

test("every documented key is read", () => {
  const text = `
llm:
  provider: { backend: anthropic, apiKey: "\${KEY}", baseUrl: "https://gateway.example/v1" }
  models: { default: opus, triage: haiku }
  promptCaching: { enabled: false, systemTtl: 1h }
  limits: { onUsageLimit: wait, maxWaitMs: 1000, maxConcurrency: 2 }
  prices: { claude-opus-5: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25, cacheWrite1h: 10 } }
embeddings: { backend: azure_openai, model: small, dimensions: 256, batchSize: 8, apiKey: "\${KEY}", resourceName: r }
`;
  expect(parseConfig(text, "bridle.yaml", { KEY: "k3y" }).config).toEqual({
    llm: {
      provider: { backend: "anthropic", apiKey: "k3y", baseUrl: "https://gateway.example/v1" },
      models: { default: "opus", triage: "haiku" },
      promptCaching: { enabled: false, systemTtl: "1h" },
      limits: { onUsageLimit: "wait", maxWaitMs: 1000, maxConcurrency: 2 },
      prices: { "claude-opus-5": { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25, cacheWrite1h: 10 } },
    },
    embeddings: {
      backend: "azure_openai",
      model: "small",
      dimensions: 256,
      batchSize: 8,
      apiKey: "k3y",
      resourceName: "r",
    },
  });
  expect(Object.keys(defaultPromptCaching)).toContain("systemTtl");
});

test("an unknown key is an error with its position and the nearest known key", () => {
  const error = failure("llm:\n  provider:\n    bakend: none\n");
  expect(error.message).toBe('bridle.yaml:3:5: unknown key "bakend". Did you mean "backend"?');
  expect(error.position).toEqual({ file: "bridle.yaml", line: 3, column: 5 });
  expect(error.field).toBe("llm.provider.bakend");
});

test("an unknown key without a similar key is an error with the known keys", () => {
  expect(failure("zebra: 1").message).toBe(
    'bridle.yaml:1:1: unknown key "zebra". Known here: llm, embeddings, policy, eventLog, context, serve.',
  );
});

test("an unknown backend is an error with the known names and the nearest", () => {
  const { message } = failure("llm:\n  provider:\n    backend: claudecode\n");
  expect(message).toBe(
    'bridle.yaml:3:14: llm.provider.backend is "claudecode", but must be one of claude-code, codex, copilot, anthropic, openai, openai-compatible, gateway, vertex, bedrock, none. Did you mean "claude-code"?',
  );
});

const refusals: readonly [yaml: string, message: string][] = [
  [
    "llm:\n  provider:\n    apiKey: ${K}\n",
    'bridle.yaml:3:5: "apiKey" is a key of copilot, anthropic, openai, openai-compatible, gateway, bedrock, but the backend is claude-code. Known here: backend, auth, baseUrl, idleTimeoutMs, pool.',
  ],
  [
    "llm:\n  provider:\n    backend: openai\n    auth: session\n",
    'bridle.yaml:4:5: "auth" is a key of claude-code, codex, copilot, but the backend is openai. Known here: backend, apiKey, baseUrl, organization, project, idleTimeoutMs, headers.',
  ],
  [
    "llm:\n  provider:\n    backend: gateway\n    apikey: x\n",
    'bridle.yaml:4:5: unknown key "apikey". Did you mean "apiKey"?',
  ],
  [
    "llm:\n  provider: { backend: bedrock, apiKey: x, accessKeyId: y }\n",
    "bridle.yaml:2:41: llm.provider.apiKey cannot be combined with accessKeyId. Keep one.",
  ],
  [
    "llm:\n  provider: { backend: vertex, keyFile: a.json, credentials: application-default }\n",
    "bridle.yaml:2:62: llm.provider.credentials cannot be combined with keyFile. Keep one.",
  ],
  [
    "llm:\n  prices: { sonnet: { input: 1, output: 2 } }\n",
    "bridle.yaml:2:11: llm.prices cannot be used with claude-code, which reports the cost of a run itself. Remove it.",
  ],
  [
    "llm:\n  limits: { maxConcurrency: 0 }\n",
    "bridle.yaml:2:29: llm.limits.maxConcurrency is 0, but must be at least 1.",
  ],
  ["llm: { provider: { pool: true } }", "bridle.yaml:1:26: llm.provider.pool is true, but must be false or a mapping."],
  [
    "llm: { provider: { pool: { idle: 1, maxCalls: 0 } } }",
    'bridle.yaml:1:28: unknown key "idle". Did you mean "idleMs"?\n' +
      "bridle.yaml:1:47: llm.provider.pool.maxCalls is 0, but must be at least 1.",
  ],
  ["embeddings: { backend: openai }\n", "bridle.yaml:1:13: embeddings.model is missing, but must be a text."],
];

test.each(refusals)("%j is refused in terms of the file", (yaml, message) => {
  expect(failure(yaml, { K: "k" }).message).toBe(message);
});

test("a credential that is not text is refused without being shown", () => {
  const { message } = failure("llm: { provider: { backend: openai, apiKey: 98765432 } }");
  expect(message).toContain("llm.provider.apiKey is a number, but must be a text.");
});

test("a missing variable that only the host needs is noted, and the rest is read", () => {
  const yaml =
    "llm:\n  provider: { backend: openai, apiKey: '${K}', baseUrl: 'https://${HOST}/v1', project: '${P:-p}' }\n";
  const { config, absent } = parseConfig(yaml, "bridle.yaml", { K: "" });
  expect(config.llm.provider).toEqual({ backend: "openai", project: "p" });
  expect(absent).toEqual({ "llm.provider.apiKey": ["K"], "llm.provider.baseUrl": ["HOST"] });
  const shared =
    "llm: { provider: { backend: openai, apiKey: &k '${K}' } }\nembeddings: { backend: openai, model: m, apiKey: *k }";
  expect(parseConfig(shared, "bridle.yaml", {}).absent).toEqual({
    "llm.provider.apiKey": ["K"],
    "embeddings.apiKey": ["K"],
  });
});

test("credentials in the file, and addresses with a password, are named and redacted", () => {
  const yaml = `
llm: { provider: { backend: openai, apiKey: sk-typed, baseUrl: "https://ada:pw@gw.example" } }
embeddings: { backend: openai, model: m, apiKey: "\${K}" }
`;
  const { typed, values } = parseConfig(yaml, "bridle.yaml", { K: "sk-variable" });
  expect(typed).toEqual(["llm.provider.apiKey", "llm.provider.baseUrl"]);
  expect(values.map(({ shown }) => shown)).toEqual(
    expect.arrayContaining(["(llm.provider.apiKey)", "(llm.provider.baseUrl)", "${K}"]),
  );
});

test("YAML that cannot be read is an error with the line and column", () => {
  expect(failure("llm:\n  models: [a\n").message).toMatch(
    /^bridle\.yaml:3:1: this is not YAML: .+ Correct the line\.$/,
  );
});

test("an unquoted variable between braces is an error that asks for quotes", () => {
  expect(failure("llm:\n  models: { default: ${MODEL}, x: y }").message).toContain('Put "${NAME}" in quotes');
});

test("all problems are in one error, in the order of the file", () => {
  const { message } = failure("foo: 1\nllm:\n  models: [a]\n  promptCaching: { systemTtl: 2h, enabled: yes please }\n");
  expect(message.split("\n").map((line) => line.split(": ")[0])).toEqual([
    "bridle.yaml:1:1",
    "bridle.yaml:3:11",
    "bridle.yaml:4:31",
    "bridle.yaml:4:44",
  ]);
});

test("a value of a wrong type is an error with the expected type", () => {
  expect(failure("llm:\n  models: [a]").message).toBe("bridle.yaml:2:11: llm.models is a list, but must be a mapping.");
  expect(failure("llm:\n  models:\n    default:").message).toContain(
    "llm.models.default is empty, but must be a text.",
  );
});

test("variables are replaced by their values, or by defaults if they are not set or empty", () => {
  const text = 'llm: { models: { default: "${MODEL}", a: "${A:-haiku}", b: "x-${B:-}-${MODEL}" } }';
  const { config, written } = parseConfig(text, "bridle.yaml", { MODEL: "opus", A: "" });
  expect(config.llm.models).toEqual({ default: "opus", a: "haiku", b: "x--opus" });
  expect(written["llm.models.default"]).toBe("${MODEL}");
});

test("all missing variables are named in one error", () => {
  const { message } = failure("llm:\n  models:\n    default: ${ONE}\n    other: ${TWO}\n");
  expect(message).toBe(
    "bridle.yaml:3:14: the environment has no ONE. Set it, or write ${ONE:-default}.\n" +
      "bridle.yaml:4:12: the environment has no TWO. Set it, or write ${TWO:-default}.",
  );
});

test("a reference within a reference is refused with its line and column", () => {
  const { message } = failure("llm:\n  models:\n    default: ${A:-${B}}\n", { A: "opus", B: "opus" });
  expect(message).toMatch(/^bridle\.yaml:3:14: a reference is incomplete\. .*cannot hold another reference\.$/);
});

test("names of object members such as constructor are ordinary variables", () => {
  expect(failure("llm: { models: { default: '${constructor}' } }").message).toContain(
    "the environment has no constructor.",
  );
});

test("unsupported YAML is refused in terms of the file", () => {
  const merged = "a: &a { default: opus }\nllm:\n  models:\n    <<: *a\n";
  expect(failure(merged).message).toBe("bridle.yaml:4:5: keys cannot be merged with <<. Write the settings out.");
  expect(failure("llm: {}\n---\nllm: {}\n").message).toMatch(
    /^bridle\.yaml:2:1: the file holds more than one document\./,
  );
  expect(failure("llm:\n  models:\n    default: !secret model\n").message).toBe(
    "bridle.yaml:3:14: the tag !secret has no meaning in this file. Remove it; ${NAME} reads the environment.",
  );
});

test("each setting has a position: a value its start, a mapping its key", () => {
  const { positions } = parseConfig("llm:\n  models:\n    default: opus\n", "bridle.yaml", {});
  expect(positions["llm.models"]).toEqual({ file: "bridle.yaml", line: 2, column: 3 });
  expect(positions["llm.models.default"]).toEqual({ file: "bridle.yaml", line: 3, column: 14 });
});

test("a variable's value cannot add structure to the file", () => {
  const text = "llm:\n  models:\n    default: ${MODEL}\n";
  const model = "a\n    evil: b";
  expect(parseConfig(text, "bridle.yaml", { MODEL: model }).config.llm.models).toEqual({ default: model });
});

test("a value that came from the environment never appears in an error", () => {
  const places = [
    "llm:\n  provider:\n    backend: ${SECRET}",
    "llm:\n  provider:\n    baseUrl: ${SECRET}",
    "llm:\n  promptCaching:\n    enabled: ${SECRET}",
    "llm:\n  models: ${SECRET}",
    "llm: { provider: { baseUrl: &x '${SECRET}', auth: *x } }",
    "llm:\n  promptCaching:\n    systemTtl: x${SECRET}x",
  ];
  for (const text of places) expect(failure(text, { SECRET: "s3cr3t-value" }).message).not.toContain("s3cr3t-value");
});

test("an undefined alias is an error of the file", () => {
  expect(failure("llm: *nowhere").message).toContain("bridle.yaml");
});

test("circular aliases, and aliases that would fill the memory, are errors with their position", () => {
  const nine = (name: string) => Array.from({ length: 9 }, () => name).join();
  const more = ["b", "c", "d", "e", "f", "g", "h"].map(
    (name, index) => `${name}: &${name} [${nine(`*${"abcdefg"[index]}`)}]`,
  );
  for (const [text, line] of [
    ["llm: &llm\n  models: *llm", 2],
    [[`a: &a [${nine("x")}]`, ...more].join("\n"), 2],
  ] as const) {
    const { message, position } = failure(text);
    expect(message).toContain("the value of this alias cannot be expanded");
    expect(position?.line).toBe(line);
  }
});

test("any text is read or refused with a ConfigError", () => {
  const pieces = fc.constantFrom(
    "llm:",
    "\n",
    "  ",
    "provider:",
    "models:",
    "${A}",
    "${",
    "&a",
    "*a",
    "- ",
    "{",
    "}",
    "x",
    "'",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(pieces).map((parts) => parts.join("")),
      ),
      (text) => {
        try {
          parseConfig(text, "bridle.yaml", { A: "a" });
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigError);
        }
      },
    ),
  );
});
