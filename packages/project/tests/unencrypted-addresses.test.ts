/** Tests every host with a base URL, at an address that is reached over a network without encryption. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunEvent } from "@bridle/protocol";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { createRuntime } from "../src/operations.ts";
import { openProject } from "../src/project.ts";
import { allHosts } from "../src/registries/host-registry.ts";

const refusal = JSON.stringify({ type: "error", error: { type: "invalid_request_error", message: "no" } });

let folder = "";
let port = 0;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "bridle-plain-"));
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(400, { "content-type": "application/json", "x-should-retry": "false" }).end(refusal);
  });
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  port = (server.address() as AddressInfo).port;
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
});

const models: Readonly<Record<string, string>> = {
  gateway: "anthropic/claude-sonnet-4.5",
  bedrock: "anthropic.claude-sonnet-4-5",
};

/** The settings of each host besides its base URL. */
const settings: Readonly<Record<string, string>> = {
  "claude-code": "auth: api_key",
  codex: "auth: api_key",
  copilot: "api: openai, apiKey: sk-long-key",
  anthropic: "apiKey: sk-long-key",
  openai: "apiKey: sk-long-key",
  "openai-compatible": "apiKey: sk-long-key",
  gateway: "apiKey: sk-long-key",
  vertex: "project: desk, location: us-east5, accessToken: sk-long-token",
  bedrock: "region: eu-central-1, apiKey: sk-long-key",
};
const hosts = allHosts()
  .filter(({ settings }) => "baseUrl" in settings.shape)
  .map(({ id }) => id);

/** Performs a run with this host at an address, and returns the warnings. */
async function warningsAt(host: string, address: string): Promise<string[]> {
  const yaml = `llm: { provider: { backend: ${host}, ${settings[host]}, baseUrl: "${address}:${port}" }, models: { default: "${models[host] ?? "claude-sonnet-4-5"}" } }\n`;
  await writeFile(join(folder, "bridle.yaml"), yaml);
  const events: RunEvent[] = [];
  const runtime = await createRuntime({
    projectDir: folder,
    processEnvironment: {
      PATH: process.env.PATH,
      HOME: folder,
      TMPDIR: folder,
      ANTHROPIC_API_KEY: "sk-long-key",
      OPENAI_API_KEY: "sk-long-key",
    },
    onEvent: (event) => events.push(event),
  });
  await runtime.generateText({ prompt: "Hello" }).catch(() => {});
  await runtime.close();
  return events.flatMap((event) => (event.type === "notice" && event.level === "warning" ? [event.message] : []));
}

test("every host with a base URL is in this table", () => {
  expect(Object.keys(settings).sort()).toEqual([...hosts].sort());
});

// this address reaches this machine, but nothing guarantees that
test.each(hosts)("each run of %s at an http address of another machine begins with a warning", async (host) => {
  expect(await warningsAt(host, "http://0.0.0.0")).toContainEqual(
    `Requests and their credentials are sent to 0.0.0.0:${port} without encryption. Use a base URL with https.`,
  );
});

test("a run at an address with a blank before it has the warning too", async () => {
  expect(await warningsAt("anthropic", " http://0.0.0.0")).toContainEqual(
    expect.stringContaining(`to 0.0.0.0:${port} without encryption`),
  );
});

test.each(["http:", "http:/", "http:\\\\\\\\", "ht\\ntp://"])(
  "an address that begins with %j, which is read as http://, is refused",
  async (begin) => {
    for (const host of ["anthropic", "claude-code"])
      await expect(warningsAt(host, `${begin}0.0.0.0`)).rejects.toThrow("is not a web address");
  },
);

test.each([
  [
    " http://a.example",
    ["Texts for embeddings and their credentials are sent to a.example without encryption. Use a base URL with https."],
  ],
  ["https://a.example", []],
  ["http://127.0.0.1:11434", []],
])("embeddings at %s give the warnings %j", async (address, expected) => {
  const yaml = `llm: { provider: { backend: none } }\nembeddings: { backend: ollama, model: m, baseUrl: "${address}" }\n`;
  await writeFile(join(folder, "bridle.yaml"), yaml);
  const warnings: string[] = [];
  const tell = () => {};
  const logger = {
    debug: tell,
    info: tell,
    error: tell,
    warn: (_: object, message: string) => void warnings.push(message),
  };
  const embedder = await (await openProject({ projectDir: folder, environment: {} })).findEmbedder({ logger });
  await embedder?.close();
  expect(warnings).toEqual(expected);
});

test.each(hosts)("a run of %s on this machine's loopback has no such warning", async (host) => {
  expect(await warningsAt(host, "http://127.0.0.1")).not.toContainEqual(expect.stringContaining("without encryption"));
});
