/** Tests that a rehearsal sends nothing from this machine, with a server that counts connections while commands run with `--rehearse`. */
import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createPlace, startCommand } from "../support/command.ts";

/** Starts a server that counts connections. Its address can be reached here, but does not look like loopback. */
function startRemote() {
  return startServer("0.0.0.0", (request, response) => {
    request.resume();
    response.writeHead(500).end("{}");
  });
}

async function startServer(host: string, listener: RequestListener) {
  const server = createServer(listener);
  let connections = 0;
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://${host}:${(server.address() as AddressInfo).port}`, connections: () => connections };
}

const script = `rehearsal: 1
turns:
  - steps:
      - { call: handbook, with: { query: holidays } }
      - { say: "{{ handbook.result }}" }
`;

const documents = "{ type: documents, name: handbook, source: handbook/, search_mode: hybrid }";
const embeddings = (url: string) =>
  `embedding_provider: { provider: openai, name: small, api_key: "\${EMBEDDING_KEY}", endpoint: "${url}/v1" }`;
const collector = (url: string) =>
  `observability: { enabled: true, exporters: { otlp: { endpoint: "${url}", headers: { authorization: "\${EMBEDDING_KEY}" } } } }`;
const cases = `test_cases: [{ name: one, input: Holidays?, evaluations: [{ type: standard, metric: contains, value: thirty }] }]`;

async function createDesk(url: string, extra: readonly string[]) {
  const place = await createPlace();
  onTestFinished(() => place.remove());
  const { project } = place;
  await mkdir(join(project, "handbook"));
  await writeFile(join(project, "handbook/holidays.md"), "# Holidays\n\nEverybody has thirty days of holidays.\n");
  await writeFile(join(project, "handbook/garden.md"), "# Garden\n\nRoses need water.\n");
  await writeFile(join(project, "script.yaml"), script);
  await writeFile(join(project, "greeting.yaml"), "rehearsal: 1\nturns: [{ steps: [{ say: Hello. }] }]\n");
  await writeFile(
    join(project, "bridle.yaml"),
    `llm: { provider: { backend: openai-compatible, baseUrl: "${url}/v1" }, models: { default: sonnet } }\n`,
  );
  const agent = ["name: desk", "instructions: { inline: Help. }", ...extra, cases];
  await writeFile(join(project, "agent.yaml"), `${agent.join("\n")}\n`);
  return async (words: readonly string[], input?: string, variables: Record<string, string> = {}) => {
    const command = startCommand(words, place, { EMBEDDING_KEY: "sk-of-this-person", ...variables }, input);
    const code = await command.ended;
    return { code, stdout: command.stdout(), stderr: command.stderr() };
  };
}

const commands: readonly { words: readonly string[]; input?: string }[] = [
  { words: ["run", "--agent", "agent.yaml", "--rehearse", "script.yaml", "Holidays?"] },
  { words: ["chat", "agent.yaml", "--rehearse", "script.yaml"], input: "Holidays?\n/model\n" },
  { words: ["test", "--rehearse", "script.yaml"] },
  { words: ["record", "--out", "new.yaml", "--agent", "agent.yaml", "--rehearse", "script.yaml", "Holidays?"] },
];

test.each(commands)(
  "bridle $words searches documents by vectors, exports spans and connects to no other machine",
  async ({ words, input }) => {
    const remote = await startRemote();
    const bridle = await createDesk(remote.url, [
      `tools: [${documents}]`,
      embeddings(remote.url),
      collector(remote.url),
    ]);
    const { code, stdout, stderr } = await bridle(words, input);
    expect({ code, stderr, stdout }).toMatchObject({ code: 0 });
    expect(stdout).toContain(words[0] === "test" ? "passed" : "thirty days");
    expect(remote.connections()).toBe(0);
    expect(stderr + stdout).toContain("A rehearsal sends nothing from this machine");
  },
);

test("without a rehearsal the same documents are embedded by the other machine", async () => {
  const remote = await startRemote();
  const bridle = await createDesk(remote.url, [`tools: [${documents}]`, embeddings(remote.url)]);
  await bridle(["documents", "index"]);
  expect(remote.connections()).toBeGreaterThan(0);
});

test.each(["http", "sse"])("a rehearsal refuses an MCP server on another machine over %s", async (transport) => {
  const remote = await startRemote();
  const url = remote.url.replace("http:", "https:");
  const bridle = await createDesk(remote.url, [
    `tools: [{ type: mcp, name: issues, transport: ${transport}, url: "${url}/mcp" }]`,
  ]);
  const { code, stderr } = await bridle(["run", "--agent", "agent.yaml", "--rehearse", "script.yaml", "Go"]);
  expect(code).toBe(3);
  expect(stderr).toContain("The MCP server issues is on another machine, and a rehearsal sends nothing");
  expect(remote.connections()).toBe(0);
});

test.each(["http", "sse"])(
  "a rehearsal follows no redirect of an MCP server on this machine over %s",
  async (transport) => {
    const remote = await startRemote();
    const here = await startServer("127.0.0.1", (_, response) => {
      response.writeHead(307, { location: `${remote.url}/mcp` }).end();
    });
    const bridle = await createDesk(remote.url, [
      `tools: [{ type: mcp, name: issues, transport: ${transport}, url: "${here.url}/mcp" }]`,
    ]);
    const { code, stderr } = await bridle(["run", "--agent", "agent.yaml", "--rehearse", "script.yaml", "Go"]);
    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining("issues cannot be used") });
    expect(here.connections()).toBeGreaterThan(0);
    expect(remote.connections()).toBe(0);
  },
);

test("a rehearsal of Claude Code uses no proxy of the environment", async () => {
  const remote = await startRemote();
  const bridle = await createDesk(remote.url, []);
  const proxies = Object.fromEntries(
    ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY"].map((name) => [name, remote.url]),
  );
  const words = ["run", "--backend", "claude-code", "--rehearse", "greeting.yaml", "Holidays?"];
  const { code, stdout, stderr } = await bridle(words, undefined, proxies);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stdout).toContain("Hello.");
  expect(remote.connections()).toBe(0);
});
