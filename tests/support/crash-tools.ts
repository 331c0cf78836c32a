import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createPolicy, defineTool, type SessionRequest } from "bridle";
import { z } from "zod";

/** The rules of the crashing session: `erase` needs an approval. */
export const rules = createPolicy({ rules: [...allowed("pay"), ...allowed("mail"), { tool: "erase", then: "ask" }] });

function allowed(tool: string) {
  return [{ tool, then: "allow" as const }];
}

/** Returns the request of the crashing session. `pass` is called within each tool, before and after its effect. */
export function requestOf(folder: string, pass: (point: string) => void = () => {}): SessionRequest {
  const withEffect = (name: string) =>
    defineTool({
      name,
      description: "Does something that must not be done twice.",
      input: z.object({ what: z.string() }),
      async execute({ what }, { runId, callId }) {
        pass(`in ${name}`);
        addEffect(folder, `${name} ${what} ${runId} ${callId}`);
        pass(`done ${name}`);
        return `Done: ${name} ${what}.`;
      },
    });
  const look = defineTool({
    name: "look",
    description: "Looks at something.",
    input: z.object({ what: z.string() }),
    annotations: { readOnly: true },
    execute: async ({ what }) => `Seen: ${what}. ${"It is long. ".repeat(50)}`,
    maxResultChars: 200,
  });
  return { id: "crashing", tools: [look, ...["pay", "mail", "erase"].map(withEffect)], stepBudget: 10 };
}

/** Adds an effect. Writes to disk before it returns, as a real effect would. */
function addEffect(folder: string, line: string): void {
  const file = openSync(fileOf(folder), "a");
  writeSync(file, `${line}\n`);
  fsyncSync(file);
  closeSync(file);
}

export function effectsIn(folder: string): readonly string[] {
  return readFileSync(fileOf(folder), { encoding: "utf8", flag: "a+" }).split("\n").slice(0, -1);
}

function fileOf(folder: string): string {
  return join(folder, "effects");
}
