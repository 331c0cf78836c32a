import { relative } from "node:path";
import type { Output } from "./cli.ts";
import { quoted } from "./own-command.ts";

/** The first words of all commands. A list of its own, because the list of commands leads back to every sentence. */
const names = [
  "init",
  "run",
  "chat",
  "test",
  "record",
  "rehearse",
  "status",
  "models",
  "doctor",
  "sessions",
  "events",
  "replay",
  "bundle",
  "approvals",
  "permissions",
  "documents",
  "trust",
  "demo",
  "agent",
  "config",
  "serve",
  "web",
  "acp",
  "mcp",
  "context",
  "memory",
  "metrics",
  "query",
  "sql",
  "ask",
];
const bare = new RegExp(
  `(?<![\\w./-])(?<!npx )bridle(?=\\s+(?:${names.join("|")}|<command>|--help|--version)(?![\\w-]))`,
  "g",
);

/**
 * Replaces `bridle` in a text for users by the command that works in their folder, because `bridle` itself exists only if it is installed
 * globally. Use it for our own sentences, not for the output of a model or a tool.
 *
 * @example nameCommands('See "bridle --help".', { command: "npx bridle" }); // 'See "npx bridle --help".'
 */
export function nameCommands(text: string, { command = "bridle" }: Pick<Output, "command">): string {
  return command === "bridle" ? text : text.replaceAll(bare, () => command);
}

const families = "agent|approvals|config|context|documents|mcp|memory|metrics|permissions|sessions|test";
const named = `(?:(?:${families}) [a-z]+|${names.join("|")}|--help|--version)`;
const words = String.raw`(?: (?:--[\w-]+|[\w.-]+(?= --)|"[^"\n]*"|'[^'\n]*'|<[^<>\n]*>|[\w.@%+:~-]*[/.=][\w./@%+=:~-]*\w))*`;

/** Matches our own commands in a sentence, with their options and paths: a line break in one would make it useless for copying. */
export function wholeCommands({ command = "bridle" }: Pick<Output, "command">): RegExp {
  return new RegExp(`${escapePattern(command)} ${named}(?![\\w-])${words}`, "g");
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** The remedy of a refusal, its last line, with the path from the working directory: shorter, and as a shell reads it. */
export function nameNearPath(text: string, cwd: string): string {
  const start = text.lastIndexOf("\n") + 1;
  const remedy = text.slice(start).replace(/(?<=\bbridle trust)( "(?:[^"\\]|\\.)*")/, (written) => {
    const path: unknown = JSON.parse(written);
    if (typeof path !== "string") return written;
    const near = relative(cwd, path);
    if (near === "") return "";
    return ` ${quoted(near.startsWith("..") || near.startsWith("-") ? path : near)}`;
  });
  return text.slice(0, start) + remedy;
}
