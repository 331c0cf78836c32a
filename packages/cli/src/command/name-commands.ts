import { relative } from "node:path";
import type { Output } from "./cli.ts";
import { quoted } from "./own-command.ts";

/** The first words of all commands. This list is separate, because importing the commands would create an import cycle. */
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
 * Replaces `bridle` in a string for users with the command that works in their folder, because `bridle` itself exists only if it is
 * installed globally. Use this function for Bridle's own sentences, not for the output of a model or a tool.
 *
 * @example nameCommands('See "bridle --help".', { command: "npx bridle" }); // 'See "npx bridle --help".'
 */
export function nameCommands(text: string, { command = "bridle" }: Pick<Output, "command">): string {
  return command === "bridle" ? text : text.replaceAll(bare, () => command);
}

const families = "agent|approvals|config|context|documents|mcp|memory|metrics|permissions|sessions|test";
const named = `(?:(?:${families}) [a-z]+|${names.join("|")}|--help|--version)`;
const words = String.raw`(?: (?:--[\w-]+|[\w.-]+(?= --)|"[^"\n]*"|'[^'\n]*'|<[^<>\n]*>|[\w.@%+:~-]*[/.=][\w./@%+=:~-]*\w))*`;

/** Matches Bridle's own commands in a sentence, with their options and paths, so that they stay on one line and can be copied. */
export function wholeCommands({ command = "bridle" }: Pick<Output, "command">): RegExp {
  return new RegExp(`${escapePattern(command)} ${named}(?![\\w-])${words}`, "g");
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/**
 * Shortens the path in the remedy, which is a refusal's last line: makes the path relative to the working directory, quoted for a shell.
 */
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
