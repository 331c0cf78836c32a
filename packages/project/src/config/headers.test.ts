// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import { ConfigError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { createValueRedactor } from "../hosts/value-redactor.ts";
import { allHosts } from "../registries/host-registry.ts";
import { parseConfig } from "./parse.ts";

const parse = (provider: string, environment = {}) =>
  parseConfig(`llm: { provider: ${provider} }`, "bridle.yaml", environment);

const withHeaders = (headers: string) => `{ backend: gateway, apiKey: k, headers: ${headers} }`;

test("every model API accepts headers and an idle timeout", () => {
  for (const { id: backend } of allHosts().filter(({ settings }) => "headers" in settings.shape)) {
    const { config } = parse(`{ backend: ${backend}, headers: { x-team: "\${TEAM}" }, idleTimeoutMs: 200000 }`, {
      TEAM: "a",
    });
    expect(config.llm.provider).toMatchObject({ headers: { "x-team": "a" }, idleTimeoutMs: 200_000 });
  }
});

test("headers are never shown, whatever their source, and credentials in the file cause a warning", () => {
  const { values, typed } = parse(withHeaders('{ Authorization: typed-1, x-team: typed-22, x-key: "${KEY}" }'), {
    KEY: "variable-1",
  });
  expect(typed).toEqual(["llm.provider.apiKey", "llm.provider.headers.Authorization"]);
  const { text } = createValueRedactor(values);
  expect(text("typed-1, typed-22, variable-1")).toBe(
    "(llm.provider.headers.Authorization), (llm.provider.headers.x-team), ${KEY}",
  );
});

test("a header with a variable that is not set is noted and left out", () => {
  const { config, absent } = parse(withHeaders('{ x-team: a, x-key: "${KEY}" }'));
  expect(absent).toEqual({ "llm.provider.headers.x-key": ["KEY"] });
  expect(config.llm.provider).toHaveProperty("headers", { "x-team": "a" });
});

test.each([
  ["{ 'no name': hidden-value }"],
  ["{ x-list: [hidden-value] }"],
  ["hidden-value-itself"],
  ["{ x-number: 17171717 }"],
])("headers such as %s are a ConfigError that does not show their values", (headers) => {
  expect(() => parse(withHeaders(headers))).toThrow(ConfigError);
  expect(() => parse(withHeaders(headers))).not.toThrow(/hidden-value(?!-itself)|17171717/);
});

test.each(["0", "1.5", "300001"])("an idle timeout of %s ms is a ConfigError that names the setting", (ms) => {
  expect(() => parse(`{ backend: openai, idleTimeoutMs: ${ms} }`)).toThrow("llm.provider.idleTimeoutMs");
});
