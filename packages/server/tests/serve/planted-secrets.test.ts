import { once } from "node:events";
import { appendFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { withProject } from "@bridle/app/project";
import { createRuntime } from "@bridle/app/runtime";
import { type Logger, silentLogger } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { scanAll, shopConnection, writeDataContext } from "../../../app/tests/support/data-context.ts";
import { createFolder } from "../../../app/tests/support/open-test-workspace.ts";
import { createTestCli } from "../../../cli/src/command/cli-for-tests.ts";
import { foundIn, planted as p, planted, variables } from "../../../cli/tests/support/planted-secrets.ts";
import { openApis } from "../../src/serve/open-apis.ts";
import { type ServingInfo, serveProject } from "../../src/serve/serve-project.ts";
import { fillServer, type SendRequest } from "../support/fill-server.ts";
import { goodRequests, keyOf, targetOf } from "../support/good-requests.ts";

/** Some texts are recognized as credentials only in their context. */
const inContext = {
  bearer: `Authorization: Bearer ${p.bearer}`,
  refresh: `https://auth.example/token?refresh_token=${p.refresh}`,
  basic: `Authorization: Basic ${p.basic}`,
  urlToken: `https://${p.urlToken}@git.example`,
  namedField: `{"password": "${p.namedField}"}`,
};
const everything = Object.values({ ...planted, ...inContext }).join("\n");
/**
 * All secrets without the named field. If a part of a streamed text ended with the name of the field, the check of a bundle would treat the
 * following text as the field's value.
 */
const said = everything.replace(inContext.namedField, "");
const protocols = ["ag-ui", "ai-sdk", "openai", "mcp"] as const;
const files = {
  "bridle.yaml": `${shopConnection}llm:
  provider: { backend: anthropic, baseUrl: MODELS, apiKey: "\${MODEL_HOST}", headers: { x-gateway: "\${GATEWAY_PASS}", x-shop: ${p.typed} } }
  models: { default: claude-opus-5 }
  limits: { maxConcurrency: 16 }
serve: { protocols: [${protocols.join(", ")}] }
`,
  "agent.yaml": `name: desk
instructions: { inline: "Use ${p.stripe}." }
model: { provider: anthropic, name: claude-opus-5 }
tools:
  - { type: function, name: tell, file: tools.mjs, function: tell, description: "Tells ${p.openai}.", parameters: { text: { type: string, description: A text. } } }
  - { type: function, name: fails, file: tools.mjs, function: fails, description: Fails., parameters: {} }
  - { type: documents, name: handbook, description: The handbook., source: docs }
policy: { rules: [{ tool: fails, then: ask }, { tool: tell, then: allow }] }
test_cases:
  - { name: greets, input: "plain ${p.groq}", ground_truth: "It is ${p.sendgrid}." }
  - { name: waits, input: slow }
`,
  "docs/returns.md": `# Returns\n\nA walnut desk comes with ${everything}\n`,
  "tools.mjs": `const everything = ${JSON.stringify(everything)};
export const tell = ({ text }) => everything + text;
export const fails = () => { throw new Error(everything); };
`,
  "script.yaml": JSON.stringify({
    rehearsal: 1,
    turns: [
      {
        when: { user: "refuse" },
        steps: [{ status: 401, message: `invalid x-api-key: ${p.reference} ${p.anthropic}` }],
      },
      { when: { user: "plain" }, steps: [{ call: "tell", with: { text: p.variable } }, { say: `Here is ${said}` }] },
      { when: { user: "slow" }, steps: [{ delay_ms: 60_000, say: "Late." }] },
      {
        steps: [
          {
            think: `I know ${p.replicate}. It is in ${inContext.refresh}.`,
            call: "tell",
            // Inputs are shown as they run: only environment values are replaced, not other credentials (docs/guides/apps/event-log.md).
            with: { text: [p.variable, p.reference, p.header, p.multiByte, p.multiLine, p.addressPassword].join(" ") },
          },
          { call: "fails", with: {} },
          { say: `It is ${p.multiByte}, ${p.google}, ${inContext.refresh} .` },
        ],
      },
    ],
  }),
};

/** A table that contains each value twice, because only repeated values are shown. */
const notes = Object.values(planted)
  .map((secret) => `'${secret.replaceAll("'", "''")}'`)
  .reduce(
    (sql, value) => `${sql} INSERT INTO orders_notes VALUES (${value}), (${value});`,
    "CREATE TABLE orders_notes (note TEXT);",
  );

/** Requests of the protocols, each of which begins a run that calls the tools. */
const facades: readonly (readonly [path: string, json: object])[] = [
  ["/ag-ui/agents/agent", { threadId: "g", runId: "r", messages: [{ id: "u", role: "user", content: p.github }] }],
  ["/ai-sdk/agents/agent/chat", { id: "s", messages: [{ role: "user", parts: [{ type: "text", text: p.gitlab }] }] }],
  ["/openai/v1/responses", { model: "agent", input: `Hi ${p.jwt}` }],
];

test("none of 31 planted secrets is in a response of any route or protocol, or in the log of the server", async () => {
  expect(Object.keys(planted)).toHaveLength(31);
  const { send, logged, info, end } = await serve();
  const checked = new CheckedTexts();
  for (const [session, prompt] of [
    ["one", `Hi ${p.googleOAuth} ${p.pem} ${inContext.refresh}`],
    ["two", `refuse ${p.github}`],
  ] as const) {
    const json = { prompt, labels: { from: p.aws } };
    expect((await send("POST", `/api/v1/sessions/${session}/runs`, json)).status).toBe(202);
  }
  await expect.poll(async () => (await send("GET", "/api/v1/approvals")).text, { timeout: 20_000 }).toContain("fails");
  const paths = ["/api/v1/stream?sessions=one,two&topics=approvals,runs", "/api/v1/sessions/one/events"];
  const streams = paths.map(async (path) => {
    const { text } = await send("GET", path, undefined, { accept: "text/event-stream" });
    expect(text).toContain("event: bye");
    checked.add(`SSE ${path}`, text);
  });
  for (const [path, json] of facades) {
    const { status, text } = await send("POST", path, json);
    expect(`${status} ${text}`).toMatch(/^200 .*tell/s);
    checked.add(`POST ${path}`, text);
  }
  await sendToAllRoutes(send, checked);
  for (const path of [p.slack, p.npm].flatMap((id) => [`/sessions/${id}`, `/approvals/${id}`, `/agents/${id}`])) {
    const { text } = await send("GET", `/api/v1${path}`);
    checked.add(`GET ${path}`, text.replaceAll(path.split("/")[2] ?? "", "")); // problems repeat the requested id
  }
  await end();
  await Promise.all(streams);
  expect(checked.leaks).toEqual([]);
  expect(checked.text.length).toBeGreaterThan(50_000);
  expect(checked.text).not.toContain(info.token.slice(0, 20));
  expect(foundIn(logged.join("\n"))).toEqual([]);
});

/** Sends a successful request to each route, so that its whole body is checked. */
async function sendToAllRoutes(send: SendRequest, checked: CheckedTexts): Promise<void> {
  const requests = goodRequests(await fillServer(send, { asking: "Hi" }));
  for (const each of requests.filter(({ isEndless }) => !isEndless)) {
    const { status, text } = await send(each.method, targetOf(each), each.body, each.headers);
    expect(status, `${keyOf(each)}: ${text.slice(0, 500)}`).toBeLessThan(300);
    checked.add(keyOf(each), text);
  }
  const apis = await openApis(protocols, { version: "1.2.3", basePath: "" }, { logger: silentLogger });
  const keys = apis.flatMap(({ base, routes }) =>
    routes.map(({ method, path }) => keyOf({ method, path: base + path })),
  );
  expect(keys.filter((key) => !requests.some((each) => keyOf(each) === key))).toEqual([]);
}

class CheckedTexts {
  text = "";
  readonly leaks: string[] = [];

  add(from: string, text: string): void {
    this.text += text;
    const found = foundIn(text);
    if (found.length > 0) this.leaks.push(`${from}: ${found.join(", ")}`);
  }
}

async function serve() {
  const models = await startModelHost();
  const cwd = await createFolder({ ...files, "bridle.yaml": files["bridle.yaml"].replace("MODELS", models) });
  const environment = { HOME: cwd, PATH: process.env.PATH ?? "", ...variables };
  const { cli } = createTestCli([], { cwd, environment, createRuntime });
  const context = await withProject({}, cli);
  await writeDataContext(cwd, {
    more: notes,
    sides: [`It is ${p.github} ${p.stripe}.`, `It is ${p.aws} ${p.openai}.`],
  });
  await appendFile(join(cwd, "context/wiki/orders.md"), `\n${everything}\n`);
  await scanAll(context);
  const ending = new AbortController();
  const logged: string[] = [];
  const log = (fields: object, message: string) => void logged.push(message, String(Reflect.get(fields, "error")));
  const logger: Logger = { debug: log, info: log, warn: log, error: log };
  let ended: Promise<void> = Promise.resolve();
  const info = await new Promise<ServingInfo>((resolve, reject) => {
    const options = { port: 0, graceMs: 0, agents: ["agent.yaml"], rehearse: join(cwd, "script.yaml") };
    ended = serveProject(options, context, { logger, signal: ending.signal, onListening: resolve });
    ended.catch(reject);
  });
  const end = () => {
    ending.abort();
    return ended;
  };
  onTestFinished(end);
  const send: SendRequest = async (method, path, json, more = {}) => {
    const headers = {
      ...more,
      authorization: `Bearer ${info.token}`,
      ...(json !== undefined && { "content-type": "application/json" }),
    };
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    const response = await fetch(info.url + path, { method, headers, ...body });
    const text = readable(Buffer.from(await response.arrayBuffer()));
    return { status: response.status, headers: response.headers, text };
  };
  return { send, logged, info, end };
}

/** Serves a list of models with credentials in their names. Returns its address. */
async function startModelHost(): Promise<string> {
  const host = createServer((_request, response) => {
    const data = [{ type: "model", id: "claude-opus-5", display_name: everything, created_at: "2026-01-01T00:00:00Z" }];
    response.setHeader("content-type", "application/json").end(JSON.stringify({ data, has_more: false }));
  }).listen(0, "127.0.0.1");
  await once(host, "listening");
  onTestFinished(() => void host.close());
  const address = host.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

/** Unpacks a bundle, because it is compressed. */
function readable(bytes: Buffer): string {
  return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString("utf8");
}
