/** Files of git's configuration, read in git's syntax and without git: https://git-scm.com/docs/git-config#_syntax. */
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { readTextFileSync } from "@bridle/core";

export interface GitSetting {
  /** In lower case, such as `core.hookspath`. The part between, such as a branch or a condition, is `part`. */
  readonly key: string;
  readonly part: string;
  readonly value: string;
  /** The file that has it. */
  readonly file: string;
}

const maxIncludes = 100;

/**
 * The settings of git configuration files and of all included files, whether or not a condition holds. Lines with invalid syntax count as
 * settings too.
 */
export function readGitSettings(files: readonly string[]): GitSetting[] {
  const paths = [...files];
  const settings: GitSetting[] = [];
  for (let at = 0; at < paths.length && at < maxIncludes; at += 1) {
    const found = parse(paths[at] ?? "");
    settings.push(...found);
    for (const { key, value, file } of found) {
      if (key !== "include.path" && key !== "includeif.path") continue;
      const path = pathIn(value, dirname(file));
      if (!paths.includes(path)) paths.push(path);
    }
  }
  return settings;
}

/** A path as git reads it: relative to a folder, or to the user's home. */
export function pathIn(value: string, folder: string): string {
  return /^~(?:\/|$)/.test(value) ? join(homedir(), value.slice(1)) : resolve(folder, value);
}

function parse(file: string): GitSetting[] {
  const text = tryRead(file);
  const settings: GitSetting[] = [];
  let [section, part] = ["", ""];
  let rest = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  while (rest !== "") {
    const [blank] = /^(?:\s+|[#;][^\n]*)+/.exec(rest) ?? [""];
    if (blank !== "") {
      rest = rest.slice(blank.length);
      continue;
    }
    const [header, name, quoted] = /^\[\s*([\w.-]+)\s*(?:"((?:[^"\\\n]|\\.)*)"\s*)?\]/.exec(rest) ?? [];
    if (header !== undefined) {
      [section, part] = splitSection(name ?? "", quoted);
      rest = rest.slice(header.length);
      continue;
    }
    const [start = "", key = ""] = /^([A-Za-z][\w-]*)[^\S\n]*(?:=[^\S\n]*|(?=[#;\n]|$))/.exec(rest) ?? [];
    const { value, length } = start.includes("=")
      ? readValue(rest.slice(start.length))
      : readLine(rest.slice(start.length));
    settings.push({ key: `${section}.${key}`.toLowerCase(), part, value, file });
    rest = rest.slice(start.length + Math.max(length, start === "" ? 1 : 0));
  }
  return settings;
}

/** `[branch "a"]`, or in the old spelling `[branch.a]`. */
function splitSection(name: string, quoted: string | undefined): [section: string, part: string] {
  if (quoted !== undefined) return [name, quoted.replaceAll(/\\(.)/g, "$1")];
  const [section = "", ...parts] = name.split(".");
  return [section, parts.join(".")];
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b", "\n": "" };

/** A value up to the end of its line, which a backslash continues, with quotation marks and comments. */
function readValue(text: string): { readonly value: string; readonly length: number } {
  let [value, isQuoted, at] = ["", false, 0];
  let keep = 0; // blanks at the end do not count, unless they are quoted
  for (; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (char === "\n" || (!isQuoted && (char === "#" || char === ";"))) break;
    if (char === '"') isQuoted = !isQuoted;
    else if (char === "\\") {
      at += 1;
      const next = text[at] ?? "";
      value += escapes[next] ?? next;
      keep = value.length;
      continue;
    } else value += char;
    if (isQuoted || !/\s/.test(char)) keep = value.length;
  }
  return { value: value.slice(0, keep), length: at };
}

function readLine(text: string): { readonly value: string; readonly length: number } {
  const [value = ""] = text.split("\n", 1);
  return { value, length: value.length };
}

function tryRead(path: string): string {
  try {
    return readTextFileSync(path);
  } catch {
    return "";
  }
}
