import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { withProject } from "@bridle/app/project";
import { createRuntime } from "@bridle/app/runtime";
import type { Logger } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { createFolder } from "../../../app/tests/support/open-test-workspace.ts";
import { createTestCli } from "../../../cli/src/command-line/cli-for-tests.ts";
import { foundIn, planted as p, planted, variables } from "../../../cli/tests/support/planted-secrets.ts";
import { nativeApi } from "../../src/serve/open-apis.ts";
import { type ServingInfo, serveProject } from "../../src/serve/serve-project.ts";

/** Some are credentials only by what is around them. */
const inContext = {
  bearer: `Authorization: Bearer ${p.bearer}`,
  refresh: `https://auth.example/token?refresh_token=${p.refresh}`,
  basic: `Authorization: Basic ${p.basic}`,
  urlToken: `https://${p.urlToken}@git.example`,
  namedField: `{"password": "${p.namedField}"}`,
};
const everything = Object.values({ ...planted, ...inContext }).join("\n");
const files = {
  "bridle.yaml": `llm:
  provider: { backend: anthropic, apiKey: "\${MODEL_HOST}", headers: { x-gateway: "\${GATEWAY_PASS}", x-shop: ${p.typed} } }
  models: { default: claude-opus-5 }
serve: { protocols: [ag-ui, ai-sdk, openai] }
`,
  "agent.yaml": `name: desk
instructions: { inline: "Use ${p.stripe}." }
model: { provider: anthropic, name: claude-opus-5 }
tools:
  - { type: function, name: tell, file: tools.mjs, function: tell, description: "Tells ${p.openai}.", parameters: { text: { type: string, description: A text. } } }
  - { type: function, name: fails, file: tools.mjs, function: fails, description: Fails., parameters: {} }
policy: { rules: [{ tool: fails, then: ask }, { tool: tell, then: allow }] }
`,
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
      {
        steps: [
          {
            think: `I know ${p.replicate}. It is in ${inContext.refresh}.`,
            call: "tell",
            // An input is shown as it runs: only values of the environment are replaced in it, and no forms (docs/event-log.md).
            with: { text: [p.variable, p.reference, p.header, p.multiByte, p.multiLine, p.addressPassword].join(" ") },
          },
          { call: "fails", with: {} },
          { say: `It is ${p.multiByte}, ${p.google}, ${inContext.refresh} .` },
        ],
      },
    ],
  }),
};

/** Requests of the protocols, each of which begins a run that calls the tools. */
const facades: readonly (readonly [path: string, json: object])[] = [
  ["/ag-ui/agents/agent", { threadId: "g", runId: "r", messages: [{ id: "u", role: "user", content: p.github }] }],
  ["/ai-sdk/agents/agent/chat", { id: "s", messages: [{ role: "user", parts: [{ type: "text", text: p.gitlab }] }] }],
  ["/openai/v1/responses", { model: "agent", input: `Hi ${p.jwt}` }],
];

test("none of 31 planted secrets is in a response of any route or protocol, or in the log of the server", async () => {
  expect(Object.keys(planted)).toHaveLength(31);
  const { send, logged, info, end } = await serve();
  for (const [session, prompt] of [
    ["one", `Hi ${p.googleOAuth} ${p.pem} ${inContext.refresh}`],
    ["two", `refuse ${p.github}`],
  ] as const) {
    const json = { prompt, labels: { from: p.aws } };
    expect((await send("POST", `/sessions/${session}/runs`, json)).status).toBe(202);
  }
  await expect.poll(async () => (await send("GET", "/approvals")).text, { timeout: 20_000 }).toContain("fails");
  const texts: string[] = [];
  const leaks: string[] = [];
  const check = (where: string, text: string) => {
    texts.push(text);
    const found = foundIn(text);
    if (found.length > 0) leaks.push(`${where}: ${found.join(", ")}`);
  };
  const streams = ["/stream?sessions=one,two&topics=approvals,runs", "/sessions/one/events"].map(async (path) => {
    const { text } = await send("GET", path, undefined, { accept: "text/event-stream" });
    expect(text).toContain("event: bye");
    check(`SSE ${path}`, text);
  });
  for (const [path, json] of facades) {
    const { status, text } = await send("POST", `..${path}`, json);
    expect(`${status} ${text}`).toMatch(/^200 .*tell/s);
    check(`POST ${path}`, text);
  }
  for (const path of ["/ag-ui/agents/agent/threads/g/stop", "/ai-sdk/agents/agent/chat/s/stop"])
    expect((await send("POST", `..${path}`, {})).status).toBe(200);
  const [approvalId = ""] = /approval_\w+/.exec((await send("GET", "/approvals")).text) ?? [];
  expect(approvalId).not.toBe("");
  const ids: Readonly<Record<string, readonly string[]>> = {
    session: ["one", "two", p.slack],
    run: [...(await send("GET", "/sessions/one/runs")).text.matchAll(/run_[\w-]+/g)].map(([id]) => id).slice(0, 2),
    agent: ["agent", "desk"],
    approval: [approvalId, p.npm],
  };
  for (const route of nativeApi({ version: "1.2.3", basePath: "" }).routes.filter(({ path }) => path !== "/stream")) {
    const [, name = ""] = /\{(\w+)\}/.exec(route.path) ?? [];
    for (const id of name === "" ? [""] : (ids[name] ?? ["missing"])) {
      const path = route.path.replace(`{${name}}`, encodeURIComponent(id));
      const json = route.method === "GET" ? undefined : {};
      const { text } = await send(route.method, path, json);
      check(`${route.method} ${path}`, text.replaceAll(encodeURIComponent(id), ""));
    }
  }
  await end();
  await Promise.all(streams);
  expect(leaks).toEqual([]);
  expect(texts.join("").length).toBeGreaterThan(10_000);
  expect(texts.join("")).not.toContain(info.token.slice(0, 20));
  expect(foundIn(logged.join("\n"))).toEqual([]);
});

async function serve() {
  const cwd = await createFolder(files);
  const environment = { HOME: cwd, PATH: process.env.PATH ?? "", ...variables };
  const { cli } = createTestCli([], { cwd, environment, createRuntime });
  const context = await withProject({}, cli);
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
  const send = async (method: string, path: string, json?: unknown, more: Readonly<Record<string, string>> = {}) => {
    const headers = {
      ...more,
      authorization: `Bearer ${info.token}`,
      ...(json !== undefined && { "content-type": "application/json" }),
    };
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    const base = path.startsWith("..") ? path.slice(2) : `/api/v1${path}`;
    const response = await fetch(info.url + base, { method, headers, ...body });
    return { status: response.status, text: readable(Buffer.from(await response.arrayBuffer())) };
  };
  return { send, logged, info, end };
}

/** A bundle is compressed. */
function readable(bytes: Buffer): string {
  return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString("utf8");
}
