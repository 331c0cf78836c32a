import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defineScript, type Rehearsal, type ScriptInput, startRehearsal } from "@bridle/rehearsal";
import { startTlsProxy, type TlsProxy, writeFakeLogin } from "@bridle/rehearsal/tls";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPlace, type Place, processesOf, startCommand, untilGone } from "../support/command.ts";
import { hasTmux, openTerminal } from "../support/terminal.ts";

const toolsFile = `
import { defineTool } from "bridle";
import { z } from "zod";

export default [
  defineTool({
    name: "lookup_order",
    description: "Find one order by its number.",
    input: z.object({ id: z.string().describe("The order's number"), verbose: z.boolean().optional() }),
    annotations: { readOnly: true },
    execute: async ({ id }) => "Order " + id + " has shipped.",
  }),
  defineTool({
    name: "wait",
    description: "Waits for ever.",
    input: z.object({}),
    execute: () => new Promise<string>(() => setInterval(() => {}, 1000)),
  }),
];
`;

const script: ScriptInput = {
  rehearsal: 1,
  turns: [
    {
      when: { user: "A-1001" },
      steps: [
        { call: "lookup_order", with: { id: "A-1001" } },
        { say: "Answer: {{ lookup_order.result }}", chunk_ms: 20 },
      ],
    },
    { when: { user: "wait" }, steps: [{ call: "wait", with: {} }, { say: "never" }] },
    { when: { user: "silence" }, steps: [{ say: "Let me think", stall: true }] },
    { steps: [{ say: "ok" }] },
  ],
};

let place: Place;
let rehearsal: Rehearsal;
let tlsProxy: TlsProxy;

beforeEach(async () => {
  place = await createPlace();
  rehearsal = await startRehearsal({ script: defineScript(script) });
  tlsProxy = await startTlsProxy({ rehearsal, folder: place.home });
  await writeFile(join(place.project, "tools.ts"), toolsFile);
});

afterEach(async () => {
  await tlsProxy.close();
  await rehearsal.close();
  await place.remove();
});

describe("on a login", () => {
  beforeEach(() => writeFakeLogin(place.configDir));

  test("bridle run --tools sends the login's token and the tools' exact schemas, and streams the answer", async () => {
    const command = startCommand(["run", "--tools", "tools.ts", "Where is order A-1001?"], place, tlsProxy.environment);
    expect(await command.ended).toBe(0);
    expect(command.stdout()).toBe("Answer: Order A-1001 has shipped.\n");
    expect(command.stderr()).toContain("lookup_order");

    const requests = rehearsal.requests.filter(({ path }) => path === "/v1/messages");
    expect(requests).toHaveLength(2);
    for (const { headers } of requests) {
      expect(headers.authorization).toBe("Bearer sk-ant-oat01-rehearsal-access");
      expect(headers["x-api-key"]).toBeUndefined();
    }
    expect(requests[0]?.body).toMatchObject({
      tools: [
        {
          name: "mcp__bridle__lookup_order",
          description: "Find one order by its number.",
          input_schema: {
            type: "object",
            properties: { id: { type: "string", description: "The order's number" }, verbose: { type: "boolean" } },
            required: ["id"],
          },
        },
        { name: "mcp__bridle__wait", input_schema: { type: "object", properties: {} } },
      ],
    });
    expect(JSON.stringify(requests[1]?.body)).toContain("Order A-1001 has shipped.");
    expect([...new Set(tlsProxy.hosts)]).toEqual(["api.anthropic.com"]);
  });

  test("bridle doctor --live says that the login is accepted", async () => {
    const command = startCommand(["doctor", "--live", "--json"], place, tlsProxy.environment);
    expect(await command.ended).toBe(0);
    expect(JSON.parse(command.stdout())).toMatchObject({ ok: true });
  });

  test("Ctrl-C in the middle of a tool stops the run with exit code 130, and leaves no process", async () => {
    const command = startCommand(["run", "--tools", "tools.ts", "--events", "wait"], place, tlsProxy.environment);
    await command.shows('"tool.started"');
    command.child.kill("SIGINT");
    expect(await command.ended).toBe(130);
    const events = command
      .stdout()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.at(-1)).toMatchObject({ type: "run.finished", result: { stopReason: "stopped" } });
    expect(await untilGone(place, 1000)).toBeLessThan(1000);
  });

  test("kill -9 in the middle of a request leaves no process after 5 seconds", async () => {
    const command = startCommand(["run", "--events", "silence"], place, tlsProxy.environment);
    await command.shows("text.delta");
    expect(await processesOf(place)).not.toHaveLength(0);
    command.child.kill("SIGKILL");
    expect(await command.ended).toBe("SIGKILL");
    expect(await untilGone(place, 5000)).toBeLessThan(5000);
  });
});

describe("without a login, but with a key in the environment", () => {
  const key = { ANTHROPIC_API_KEY: "sk-ant-not-to-be-used" };

  test("bridle run fails with the login advice and exit code 4, and sends nothing with the key", async () => {
    const command = startCommand(["run", "hello"], place, { ...tlsProxy.environment, ...key });
    expect(await command.ended).toBe(4);
    expect(command.stderr()).toMatch(/not logged in \(auth: session\)\. Run "claude" once and log in/);
    expect(JSON.stringify(rehearsal.requests)).not.toContain(key.ANTHROPIC_API_KEY);
  });

  test("bridle chat with an agent fails in a pipe with the same message and exit code", async () => {
    await writeFile(join(place.project, "agent.yaml"), "name: desk\ninstructions: { inline: Be kind. }\n");
    const command = startCommand(["chat"], place, { ...tlsProxy.environment, ...key }, "hello");
    expect(await command.ended).toBe(4);
    expect(command.stdout()).toBe("");
    expect(command.stderr()).toMatch(/^[^\n]*not logged in \(auth: session\)\. Run "claude" once and log in[^\n]*\n$/);
    expect(JSON.stringify(rehearsal.requests)).not.toContain(key.ANTHROPIC_API_KEY);
  });

  test.skipIf(!hasTmux)(
    "bridle chat at a terminal ends with the same message and exit code 4 (needs tmux)",
    async () => {
      const environment = { ...place.environment, ...tlsProxy.environment, ...key };
      const { type, shows } = openTerminal(["chat"], { cwd: place.project, environment });
      await shows(/\d tokens/);
      type("hello");
      expect(await shows("Ended with 4.")).toMatch(/not logged in \(auth: session\)\.\s+Run\s+"claude"\s+once/);
    },
  );

  test("bridle status --json says that there is no login, and sends nothing with the key", async () => {
    const command = startCommand(["status", "--json"], place, { ...tlsProxy.environment, ...key });
    expect(await command.ended).toBe(0);
    expect(JSON.parse(command.stdout())).toMatchObject({ authentication: "no login" });
    expect(JSON.stringify(rehearsal.requests)).not.toContain(key.ANTHROPIC_API_KEY);
    expect(command.stdout()).not.toContain(key.ANTHROPIC_API_KEY);
  });

  test("bridle doctor --live fails with the login advice and exit code 4", async () => {
    const command = startCommand(["doctor", "--live"], place, { ...tlsProxy.environment, ...key });
    expect(await command.ended).toBe(4);
    expect(command.stdout() + command.stderr()).toMatch(/Run "claude" once and log in/);
  });
});
