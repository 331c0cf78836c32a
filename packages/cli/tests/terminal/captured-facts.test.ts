import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openChatStage } from "../support/chat-fixture.ts";
import { hasTmux, openTerminal } from "../support/terminal.ts";

test.skipIf(!hasTmux)(
  "a chat in a real terminal says in a line what it remembers of a prompt, and keeps it if it is left at once (needs tmux)",
  async () => {
    const { project, environment } = await openChatStage();
    await appendFile(join(project, "bridle.yaml"), "context:\n  memory: { capture: project }\n");
    const { type, shows } = openTerminal(["chat", "--rehearse", "rehearsal.yaml"], { cwd: project, environment });
    await shows(/rehearsed · 0 tokens/);
    type("Thanks. From now on we count a trip when the bike is unlocked.");
    await shows(/Remembered for this project: From now on we count[\s\S]*forgets\s+it\./);
    type("Thanks. Since March a pass costs 29 euro.");
    await shows(/29 euro\.\s+You are welcome\./);
    type("/exit");
    await shows("Ended with 0.");
    const memory = await readFile(join(project, "context/memory.yaml"), "utf8");
    for (const text of ["unlocked", "29 euro"]) expect(memory).toContain(text);
  },
);
