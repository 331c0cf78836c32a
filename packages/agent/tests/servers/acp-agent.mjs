// A small agent that speaks the Agent Client Protocol. The words of the task control what it does.
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const say = (text) =>
  send({
    method: "session/update",
    params: { sessionId: "s", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } },
  });
const answers = new Map();
let lastId = 0;
let cancel = () => {};

function ask(toolCall, kinds = { yes: "allow_once", no: "reject_once" }) {
  lastId += 1;
  const options = Object.entries(kinds).map(([optionId, kind]) => ({ optionId, name: kind, kind }));
  const params = { sessionId: "s", toolCall: { toolCallId: `t${lastId}`, ...toolCall }, options };
  send({ id: `q${lastId}`, method: "session/request_permission", params });
  return new Promise((resolve) => answers.set(`q${lastId}`, resolve));
}

async function prompt(text) {
  if (process.env.PID_FILE) writeFileSync(process.env.PID_FILE, String(process.pid));
  if (text.includes("hang")) await new Promise(() => setInterval(() => {}, 1000));
  if (text.includes("crash")) process.exit(3);
  if (text.includes("die")) {
    process.once("SIGTERM", () => process.exit(3));
    await ask({ kind: "execute", title: "Run rm" });
  }
  if (text.includes("wait")) await new Promise((resolve) => (cancel = resolve));
  if (text.includes("forever")) {
    const { outcome } = await ask(
      { kind: "edit", title: "Edit a.txt" },
      { always: "allow_always", never: "reject_always" },
    );
    say(`${outcome.optionId ?? outcome.outcome} `);
  }
  if (text.includes("ask")) {
    const both = [
      ask({ kind: "read", title: "Read a.txt", rawInput: { path: "a.txt" } }),
      ask({ kind: "execute", title: "Run rm", rawInput: { command: "rm -r ." } }),
    ];
    for (const { outcome } of await Promise.all(both)) say(`${outcome.optionId ?? outcome.outcome} `);
  }
  say(`secret ${process.env.SECRET ?? "unset"}.`);
  return text.includes("refuse") ? "refusal" : "end_turn";
}

const methods = {
  initialize: ({ protocolVersion, clientCapabilities }) => {
    process.stderr.write(`capabilities ${JSON.stringify(clientCapabilities)}\n`);
    return { protocolVersion, agentCapabilities: {} };
  },
  "session/new": () => ({ sessionId: "s" }),
  "session/prompt": async ({ prompt: parts }) => ({ stopReason: await prompt(parts[0].text) }),
};

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === "session/cancel") cancel();
  else if (method === undefined) answers.get(id)?.(result);
  else if (id !== undefined) send({ id, result: await methods[method](params) });
});
