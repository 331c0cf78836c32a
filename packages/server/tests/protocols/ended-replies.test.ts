import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { createFolder, deskFiles } from "../../../app/tests/support/open-test-workspace.ts";
import { serveDesk } from "../support/serve-desk.ts";

const script = `rehearsal: 1
turns: [{ steps: [{ say: I think about it., call: clock, with: {} }, { delay_ms: DELAY, say: Here it is. }] }]
`;

/** Shuts down a server while an agent works on the replies of these requests. */
async function endWhileBusy(delayMs: number, graceMs: number) {
  const files = {
    "agent.yaml": `name: desk
instructions: { inline: Be kind. }
tools: [{ type: function, name: clock, file: clock.mjs, function: clock, description: Tells the time., parameters: {} }]
policy: { mode: normal, rules: [{ tool: clock, then: allow }] }
`,
    "clock.mjs": `export const clock = () => "noon";\n`,
    "script.yaml": script.replace("DELAY", String(delayMs)),
  };
  const folder = await createFolder({ ...deskFiles, ...files });
  const { send, end } = await serveDesk({ graceMs }, "serve: { protocols: [openai, a2a] }\n", folder);
  const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "Hello." }] };
  const replies = [
    send("/openai/v1/chat/completions", {
      method: "POST",
      json: { model: "agent", messages: [{ role: "user", content: "Hello." }] },
    }),
    send("/openai/v1/responses", { method: "POST", json: { model: "agent", input: "Hello." } }),
    send("/a2a/agents/agent", {
      method: "POST",
      json: { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } },
    }),
  ];
  const begun = async () => JSON.stringify(await (await send("/api/v1/sessions")).json()).split('"lastSeq"').length - 1;
  while ((await begun()) < replies.length) await setTimeout(50);
  await end();
  return Promise.all(
    replies.map(async (reply) => ({ status: (await reply).status, text: await (await reply).text() })),
  );
}

test("replies without a stream are whole if their runs end within the grace of the server", async () => {
  const [chat, response, task] = await endWhileBusy(1500, 600_000);
  expect([chat?.status, response?.status, task?.status]).toEqual([200, 200, 200]);
  expect(chat?.text).toContain('"finish_reason":"stop"');
  expect(response?.text).toContain('"status":"completed"');
  expect(task?.text).toContain("TASK_STATE_COMPLETED");
  for (const { text } of [chat, response, task].filter((each) => each !== undefined))
    expect(text).toContain("Here it is.");
});

test("no reply has half an answer as a whole one if the server ends before the run", async () => {
  const [chat, response, task] = await endWhileBusy(20_000, 0);
  expect([chat?.status, chat?.text]).toEqual([503, expect.stringContaining('"code":"stream-ended"')]);
  expect(response?.text).toMatch(/"status":"cancelled"|stream-ended/);
  expect(task?.text).toMatch(/TASK_STATE_CANCELED|stream-ended/);
});
