/** Compares the messages that Bridle reads and sends with the protocol that the installed Codex prints. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readTextFileSync } from "@bridle/core";
import { isPlainObject } from "@bridle/protocol";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { requirePinnedCodex } from "../src/boundary/codex-binary.ts";
import * as messages from "../src/messages/messages.ts";

const folder = mkdtempSync(join(tmpdir(), "bridle-protocol-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
execFileSync(requirePinnedCodex().binary, ["app-server", "generate-json-schema", "--experimental", "--out", folder], {
  env: { HOME: folder, CODEX_HOME: folder },
  stdio: "ignore",
});

const document: unknown = JSON.parse(readTextFileSync(join(folder, "codex_app_server_protocol.schemas.json")));

function at(node: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((found, key) => (isPlainObject(found) ? found[key] : undefined), node);
}

/** The alternatives of a schema, with its references followed. */
function alternatives(schema: unknown): unknown[] {
  const reference = at(schema, "$ref");
  if (typeof reference === "string") return alternatives(at(document, ...reference.split("/").slice(1)));
  const inner = ["anyOf", "oneOf", "allOf"].flatMap((key) => z.array(z.unknown()).catch([]).parse(at(schema, key)));
  return inner.length === 0 ? [schema] : inner.flatMap(alternatives);
}

/** The paths that our schema reads and theirs does not have. */
function missing(ours: unknown, theirs: unknown, path: string): string[] {
  const forms = alternatives(theirs);
  const properties = Object.entries(z.record(z.string(), z.unknown()).catch({}).parse(at(ours, "properties")));
  const inner = [at(ours, "items"), ...z.array(z.unknown()).catch([]).parse(at(ours, "anyOf"))];
  return [
    ...properties.flatMap(([name, each]) => {
      const found = forms.map((form) => at(form, "properties", name)).filter((form) => form !== undefined);
      return found.length === 0 ? [`${path}.${name}`] : missing(each, { anyOf: found }, `${path}.${name}`);
    }),
    ...(inner[0] === undefined
      ? []
      : missing(inner[0], { anyOf: forms.flatMap((form) => at(form, "items") ?? []) }, `${path}[]`)),
    ...inner.slice(1).flatMap((each) => missing(each, theirs, path)),
  ];
}

function compare(schema: z.ZodType, theirs: unknown, name: string): string[] {
  return missing(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }), theirs, name);
}

/** The parameters of each method of a kind of message. */
function methodsOf(kind: string): Map<string, unknown> {
  const all = z.array(z.unknown()).parse(at(document, "definitions", kind, "oneOf"));
  return new Map(
    all.map((each) => [
      String(
        at(each, "properties", "method", "enum", "0") ??
          z.array(z.string()).parse(at(each, "properties", "method", "enum"))[0],
      ),
      at(each, "properties", "params"),
    ]),
  );
}

test("every notification that is read exists at the pin, with the fields that are read", () => {
  const own = (name: string) => at(document, "definitions", "v2", name);
  const methods = methodsOf("ServerNotification")
    .set("rawResponseItem/completed", own("RawResponseItemCompletedNotification")) // internal ones are not in the list
    .set("rawResponse/completed", own("RawResponseCompletedNotification"));
  const differences = Object.entries(messages.notificationSchemas).flatMap(([method, schema]) =>
    methods.has(method) ? compare(schema, methods.get(method), method) : [`${method} does not exist`],
  );
  expect(differences).toEqual([]);
});

test("every answer that is read exists at the pin, with the fields that are read", () => {
  const answers: Readonly<Record<string, z.ZodType>> = {
    ThreadStartResponse: messages.threadAnswer,
    TurnStartResponse: messages.turnAnswer,
    ListMcpServerStatusResponse: messages.serversAnswer,
    HooksListResponse: messages.hooksAnswer,
    SkillsListResponse: messages.skillsAnswer,
    ConfigReadResponse: messages.configAnswer,
    ExperimentalFeatureListResponse: messages.featuresAnswer,
  };
  const differences = Object.entries(answers).flatMap(([name, schema]) =>
    compare(schema, at(document, "definitions", "v2", name), name),
  );
  expect(differences.filter((path) => !/\.data\[\]\.(path)$/.test(path))).toEqual([]);
});

test("every request that is sent or answered exists at the pin", () => {
  const sent = [...methodsOf("ClientRequest").keys()];
  expect(sent).toEqual(
    expect.arrayContaining([
      ...["initialize", "thread/start", "thread/inject_items", "thread/unsubscribe", "turn/start", "turn/interrupt"],
      ...["config/read", "skills/list", "hooks/list", "mcpServerStatus/list", "experimentalFeature/list"],
    ]),
  );
  expect([...methodsOf("ServerRequest").keys()]).toContain("item/tool/call");
});
