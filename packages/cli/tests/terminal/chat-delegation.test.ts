/** Tests a chat with an agent that calls another agent: the output, the questions, and stopping it. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openChatStage, untilReadable } from "../support/chat-fixture.ts";
import { hasTmux, openTerminal } from "../support/terminal.ts";

const files = {
  "agent.yaml": `name: boss
instructions: { inline: You are boss. }
tools: [{ type: agent, name: helper, file: helper.yaml }]
policy: { mode: normal, rules: [{ tool: helper, then: allow }, { tool: count, then: allow }] }
`,
  "helper.yaml": `name: helper
description: Helps.
instructions: { inline: You are helper. }
tools:
  - { type: function, name: refund, file: own.ts, function: refund }
  - { type: function, name: count, file: own.ts, function: count }
policy: { mode: normal, rules: [{ tool: refund, then: ask }] }
`,
  "own.ts": 'import tools from "./tools.ts";\nexport const [, refund, count] = tools;\n',
  "delegation.yaml": `rehearsal: 1
turns:
  - when: { system: You are helper., user: Count }
    steps: [{ call: count, with: {} }, { say: Counted. }]
  - when: { system: You are helper. }
    steps: [{ call: refund, with: { id: A-1, euros: 5 } }, { say: I could not. }]
  - when: { user: count }
    steps: [{ call: helper, with: { task: Count. } }, { say: Counted. }]
  - when: { user: refund }
    steps: [{ call: helper, with: { task: Refund it. } }, { say: "The helper says: {{ helper.result }}" }]
  - steps: [{ say: You are welcome. }]
`,
};
const question = "? Run refund (may destroy data, outside of this machine too)?";

describe.skipIf(!hasTmux)("a chat with an agent that calls another one (needs tmux)", () => {
  test("shows what the other agent does, asks its questions by its name, and stops both", async () => {
    const { project, environment } = await openChatStage();
    for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text);
    const words = ["chat", "--rehearse", "delegation.yaml"];
    const { type, shows, key, screen } = openTerminal(words, { cwd: project, environment, rows: 40 });
    await shows("boss. Type a prompt");

    type("refund");
    await shows(question);
    expect(screen()).toMatch(/→ helper \{"task":"Refund it\."\}\n {2}\? refund waits for an answer\n/);
    expect(screen()).toMatch(/\? refund asks to run [^\n]*\n│ agent: helper\n│ rule: rules\[0\] refund\n/);
    await untilReadable();
    key("n");
    expect(await shows("The helper says: I could not.")).toMatch(/✓ helper [\d.]+ m?s \{"task":"Refund it\."\}\n/);

    type("count");
    await shows(/→ helper \{"task":"Count\."\}\n {2}→ count \{\}\n/);
    await shows(/helper \d+ s · Esc stops/);
    key("Escape");
    expect(await shows("The run was stopped: Esc was pressed.")).toMatch(/✗ helper .*\{"task":"Count\."\}\n/);

    type("refund again");
    await shows(question);
    await untilReadable();
    key("x");
    await shows(/The run was stopped: by the person who was asked/);
    type("Thanks");
    await shows("You are welcome.");
    type("/exit");
    await shows("Ended with 0.");
    await expect(readFile(join(project, "effects"), "utf8")).rejects.toThrow("ENOENT");
  });

  test("ends the other agent's run and its question when the person leaves with Ctrl-C", async () => {
    const { project, environment, bridle } = await openChatStage();
    for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text);
    const words = ["chat", "--rehearse", "delegation.yaml"];
    const { type, shows, key } = openTerminal(words, { cwd: project, environment, rows: 40 });
    await shows("boss. Type a prompt");
    type("refund");
    await shows(question);
    key("C-c");
    await shows("Ctrl-C again leaves.");
    key("C-c");
    await shows("Ended with 0.");
    expect((await bridle("approvals", "list", "--json")).stdout).toContain('"approvals": []');
    const { sessions } = JSON.parse((await bridle("sessions", "--json")).stdout);
    expect(sessions).toHaveLength(2);
    for (const { id } of sessions) expect((await bridle("events", id, "--json")).stdout).toContain('"run.finished"');
  });
});
