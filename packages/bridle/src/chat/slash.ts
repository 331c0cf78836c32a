/** What a line that begins with a slash means. Pure. */
import { suggestion } from "@bridle/protocol";

export interface SlashCommand {
  readonly name: string;
  /** What may follow, as the help shows it. */
  readonly operand?: string;
  readonly summary: string;
  /** It changes the session or what is told in it, and so has to wait for the end of a run: always, or with an operand. */
  readonly changes?: "always" | "with-operand";
}

export const slashCommands = [
  { name: "help", summary: "what can be typed" },
  { name: "new", summary: "begin another session", changes: "always" },
  { name: "sessions", operand: "[ID]", summary: "list the sessions, or go on with one", changes: "with-operand" },
  { name: "fork", summary: "go on in a copy of this session", changes: "always" },
  { name: "tools", summary: "the tools that the model may call" },
  { name: "policy", summary: "the rules, and the answers that are remembered" },
  {
    name: "model",
    operand: "[NAME]",
    summary: "the models, or another one from the next run on",
    changes: "with-operand",
  },
  { name: "cost", summary: "tokens and costs, run by run" },
  {
    name: "compact",
    operand: "[drop-tool-results|summarise]",
    summary: "make what the model is told shorter",
    changes: "always",
  },
  { name: "bundle", operand: "[FILE]", summary: "put all that tells what happened into one file" },
  { name: "exit", summary: "leave; the session stays on record" },
] as const satisfies readonly SlashCommand[];

export type SlashName = (typeof slashCommands)[number]["name"];

export type Slash =
  | {
      readonly kind: "command";
      readonly name: SlashName;
      readonly operand: string | undefined;
      /** It has to wait for the end of a run. */
      readonly changesSession: boolean;
    }
  | { readonly kind: "unknown"; readonly message: string };

/** Nothing for a prompt; a path such as `/etc/hosts` begins one. */
export function parseSlash(text: string): Slash | undefined {
  const [, word, rest = ""] = /^\/([\p{L}-]*)(?:\s+([^\n]*))?$/u.exec(text.trim()) ?? [];
  if (word === undefined) return undefined;
  const found: (SlashCommand & { name: SlashName }) | undefined = slashCommands.find(
    ({ name }) => name === word.toLowerCase(),
  );
  const operand = rest.trim() === "" ? undefined : rest.trim();
  if (found === undefined) return unknown(word);
  if (operand !== undefined && found.operand === undefined) {
    return { kind: "unknown", message: `/${found.name} takes nothing after it. Type it alone.` };
  }
  const { name, changes } = found;
  const changesSession = changes === "always" || (changes === "with-operand" && operand !== undefined);
  return { kind: "command", name, operand, changesSession };
}

function unknown(word: string): Slash {
  const names = slashCommands.map(({ name }) => `/${name}`);
  const near = word === "" ? "" : suggestion(`/${word}`, names);
  return { kind: "unknown", message: `Unknown command "/${word}".${near} /help tells all.` };
}
