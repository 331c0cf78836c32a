/** Parses a line that starts with a slash. Pure. */
import { suggestion } from "@bridle/protocol";

export interface SlashCommand {
  readonly name: string;
  /** The operand, as the help shows it. */
  readonly operand?: string;
  readonly summary: string;
  /** When the command changes the session or its history, and therefore has to wait until the run ends: always, or with an operand. */
  readonly changes?: "always" | "with-operand";
}

export const slashCommands = [
  { name: "help", summary: "show this help" },
  { name: "new", summary: "start a new session", changes: "always" },
  { name: "clear", summary: "start a new session; the old one stays in the list", changes: "always" },
  { name: "sessions", operand: "[ID]", summary: "list the sessions, or resume one", changes: "with-operand" },
  { name: "resume", operand: "[ID]", summary: "resume a session, or choose one from a list", changes: "always" },
  { name: "fork", summary: "continue in a copy of this session", changes: "always" },
  { name: "tools", summary: "list the tools of the model" },
  { name: "policy", summary: "show the rules and the remembered answers" },
  {
    name: "model",
    operand: "[NAME]",
    summary: "list the models with windows and prices, or change the model of the next runs",
    changes: "with-operand",
  },
  { name: "context", summary: "show the usage of the model's context window" },
  { name: "cost", summary: "show the tokens and cost of each run" },
  {
    name: "compact",
    operand: "[drop-tool-results|summarise]",
    summary: "shorten the history that the model gets",
    changes: "always",
  },
  { name: "remember", operand: "TEXT", summary: "remember a fact about the data, in context/memory.yaml" },
  { name: "export", operand: "[FILE]", summary: "write the conversation to a Markdown file" },
  { name: "bundle", operand: "[FILE]", summary: "export this session to a single file" },
  { name: "exit", summary: "leave; you can resume the session later" },
] as const satisfies readonly SlashCommand[];

export type SlashName = (typeof slashCommands)[number]["name"];

export type Slash =
  | {
      readonly kind: "command";
      readonly name: SlashName;
      readonly operand: string | undefined;
      /** Whether the command has to wait until the run ends. */
      readonly changesSession: boolean;
    }
  | { readonly kind: "unknown"; readonly message: string };

/**
 * Recognizes a line that some other chats would run in a shell. Bridle only runs calls that the rules allow, so it neither runs nor sends
 * the line.
 */
export function isShellLine(text: string): boolean {
  return /^!\s*[^\s!?]/.test(text);
}

/** Parses a line; `undefined` for a prompt. A prompt may start with a path such as `/etc/hosts`. */
export function parseSlash(text: string): Slash | undefined {
  const [, word, rest = ""] = /^\/([\p{L}-]*)(?:\s+(?!\s)(.*))?$/su.exec(text.trim()) ?? [];
  if (word === undefined || rest.includes("\n")) return undefined;
  const found: (SlashCommand & { name: SlashName }) | undefined = slashCommands.find(
    ({ name }) => name === word.toLowerCase(),
  );
  const operand = rest.trim() === "" ? undefined : rest.trim();
  if (found === undefined) return unknown(word);
  if (operand !== undefined && found.operand === undefined) {
    return { kind: "unknown", message: `/${found.name} has no operand. Type it alone.` };
  }
  const { name, changes } = found;
  const changesSession = changes === "always" || (changes === "with-operand" && operand !== undefined);
  return { kind: "command", name, operand, changesSession };
}

function unknown(word: string): Slash {
  const names = slashCommands.map(({ name }) => `/${name}`);
  const near = word === "" ? "" : suggestion(`/${word}`, names);
  return { kind: "unknown", message: `Unknown command "/${word}".${near} /help lists all commands.` };
}
