/** Tests agents that a program passes as objects, without a file. */
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool, type RunEvent } from "@bridle/protocol";
import { expect, test } from "vitest";
import { z } from "zod";
import { type AgentInput, defineAgent, openAgent } from "../src/index.ts";
import { agentFolder } from "./play-agent.ts";

const server = join(import.meta.dirname, "servers", "odd-server.ts");
const config = { llm: { provider: { backend: "anthropic" } } } as const;

async function place() {
  const folder = await agentFolder();
  mkdirSync(join(folder, "guides"));
  writeFileSync(join(folder, "guides", "refunds.md"), "# Refunds\n\nRefunds take five days.\n");
  mkdirSync(join(folder, "skills", "greeting"), { recursive: true });
  writeFileSync(
    join(folder, "skills", "greeting", "SKILL.md"),
    "---\nname: greeting\ndescription: How to greet\n---\nSay good day.\n",
  );
  const environment = { PATH: process.env.PATH, HOME: folder, TMPDIR: tmpdir() };
  return { folder, environment };
}

const weigh = defineTool({
  name: "weigh",
  description: "Weighs a parcel.",
  input: z.object({ parcel: z.string() }),
  annotations: { readOnly: true },
  execute: async ({ parcel }) => `${parcel} weighs 3 kg`,
});

test("a program has servers, documents, skills and tools of its own without a file", async () => {
  const { folder, environment } = await place();
  const agent: AgentInput = {
    name: "desk",
    instructions: { inline: "You answer questions." },
    tools: [
      { type: "mcp", name: "many", command: "node", args: [server], tools: ["echo"] },
      { type: "documents", name: "search_guides", source: "guides", search_mode: "keyword" },
    ],
    skills: ["skills"],
  };
  const definition = await defineAgent(agent, { environment, folder });
  const events: RunEvent[] = [];
  const opened = await openAgent(definition, {
    projectDir: folder,
    config,
    tools: [weigh],
    onEvent: (event) => events.push(event),
    rehearse: {
      rehearsal: 1,
      turns: [
        {
          steps: [
            { call: "search_guides", with: { query: "refunds" } },
            { call: "load_skill", with: { name: "greeting" } },
            { call: "weigh", with: { parcel: "P-1" } },
            { say: "{{ search_guides.result }} {{ load_skill.result }} {{ weigh.result }}" },
          ],
        },
      ],
    },
  });
  const { text } = await opened.run("go").result;
  expect(opened.tools.map(({ name }) => name).sort()).toEqual(["echo", "load_skill", "search_guides", "weigh"]);
  await opened.close();
  expect(text).toContain("Refunds take five days.");
  expect(text).toContain("Say good day.");
  expect(text).toContain("P-1 weighs 3 kg");
  expect(events[0]).toMatchObject({ type: "run.started", backend: "anthropic", rehearsed: true });
});

test("a credential that a program passes is redacted in the input of a call", async () => {
  const { folder, environment } = await place();
  const token = "tulip-9931-of-the-vault";
  const agent: AgentInput = {
    name: "desk",
    instructions: { inline: "Hi." },
    tools: [{ type: "mcp", name: "many", command: "node", args: [server], env: { SHOP_TOKEN: token } }],
  };
  const definition = await defineAgent(agent, { environment, folder });
  const events: string[] = [];
  const opened = await openAgent(definition, {
    projectDir: folder,
    config,
    tools: [weigh],
    onEvent: (event) => events.push(JSON.stringify(event)),
    rehearse: { rehearsal: 1, turns: [{ steps: [{ call: "weigh", with: { parcel: token } }, { say: "Done." }] }] },
  });
  await opened.run("go").result;
  await opened.close();
  expect(events.filter((event) => event.includes("tool.requested"))).toHaveLength(1);
  expect(events.join()).not.toContain(token);
});

test("every problem of an agent without a file has the path of its setting", async () => {
  const { folder, environment } = await place();
  const agent = {
    name: "desk",
    instructions: { inline: "Hi." },
    tools: [{ type: "mcp", name: "orders" }],
    skills: ["none"],
    modle: {},
  } as unknown as AgentInput;
  const problems = await defineAgent(agent, { environment, folder }).catch((error: Error) => error.message);
  expect(problems).toContain("agent.tools.0.command: tools.0.command is missing, which the transport stdio needs");
  expect(problems).toContain("agent.modle: ");
});

test("a tool of the program cannot have the name of another", async () => {
  const { folder, environment } = await place();
  const agent: AgentInput = { name: "desk", instructions: { inline: "Hi." }, skills: ["skills"] };
  const definition = await defineAgent(agent, { environment, folder });
  const opening = openAgent(definition, {
    projectDir: folder,
    config,
    rehearse: { rehearsal: 1, turns: [{ steps: [{ say: "Hi." }] }] },
    tools: [{ ...weigh, name: "load_skill" }],
  });
  await expect(opening).rejects.toThrow('both have a tool named "load_skill"');
});
