/** Splits commands into words, as a shell and the programs do. Pure. */
import type { Language } from "../modules/code-files.ts";

/**
 * Returns the strings of each list and mapping, kept together because an argument can belong to the string before it. A program precedes
 * its arguments.
 */
export function listsOfTexts(value: unknown): string[][] {
  if (typeof value === "string") return [[value]];
  if (typeof value !== "object" || value === null) return [];
  const { command, args }: { readonly command?: unknown; readonly args?: unknown } = value;
  const isCommand = typeof command === "string" && Array.isArray(args);
  const inner: unknown[] = Object.values(value);
  const own = isCommand ? [command, ...args, ...inner] : inner;
  const texts = own.filter((each) => typeof each === "string");
  return [
    ...(texts.length === 0 ? [] : [texts]),
    ...inner.filter((each) => typeof each !== "string" && !(isCommand && each === args)).flatMap(listsOfTexts),
  ];
}

const maxDepth = 4;

/** Returns the list itself, and the words of each string in it that is a shell command, at any depth. */
export function commandsIn(words: readonly string[], depth = 0): (readonly string[])[] {
  const lines = depth === maxDepth ? [] : words.filter((word) => /[\s;&|()<>]/.test(word));
  return [words, ...lines.flatMap((line) => commandsIn(shellWords(line), depth + 1))];
}

/** Returns the words of a shell command, without quotes. Variables and patterns are kept. */
function shellWords(line: string): string[] {
  const words = line.match(/(?:[^\s"'\\;&|()<>]+|\\.|"(?:\\.|[^"\\])*"|'[^']*')+/gs) ?? [];
  return words.map((word) =>
    word.replace(/\\(.)|"((?:\\.|[^"\\])*)"|'([^']*)'/gs, (_, escaped?: string, double?: string, single?: string) => {
      return escaped ?? double?.replace(/\\(["\\$`])/g, "$1") ?? single ?? "";
    }),
  );
}

const separators = /[\s"'`;&|()<>,]+/;

/**
 * Returns everything in a string that can name a file: the string, its words, values of options such as `--import=./e.mjs`, and paths after
 * a variable.
 */
export function wordsOf(text: string): string[] {
  const plain = text.replace(/["']?(?:\$\{[^}]*\}|\$\w+|\$\([^()]*\)|`[^`]*`)["']?\//g, " ./");
  return [text, plain]
    .flatMap((each) => [each, ...each.split(separators), ...shellWords(each)])
    .flatMap((word) => [
      word,
      ...(word.includes("=") ? word.split("=") : []),
      ...(/^-[A-Za-z]./.test(word) ? [word.slice(2)] : []),
    ]);
}

/** Returns the modules that Python's option `-m` names, such as `srv.main`. */
export function pythonModulesIn(words: readonly string[]): string[] {
  const named = words.flatMap((word, index) => {
    const [, joined] = /^-[A-Za-z]*m(.*)$/.exec(word) ?? [];
    return joined === undefined ? [] : [joined === "" ? (words[index + 1] ?? "") : joined];
  });
  return named.filter((name) => /^\w[\w.]*$/.test(name));
}

export function splitWords(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(separators));
}

const python = /^(?:i?python|pypy)[\d.]*w?$/;
const javascript = /^(?:node|nodejs|bun|deno|tsx|ts-node|zx)$/;

/** Whether a word is an interpreter. Interpreters also run folders. */
export function isInterpreter(word: string): boolean {
  const name = programName(word);
  return python.test(name) || javascript.test(name);
}

export function isShell(word: string): boolean {
  return /^(?:ba|z|da|k|fi|c|tc)?sh$/.test(programName(word));
}

/** Returns the name of a program without its folder, ending and version. */
export function programName(word: string): string {
  return (/[^/\\]*$/.exec(word)?.[0] ?? "").replace(/(?:\.exe|\.cmd)?(?:@.*)?$/i, "");
}

/** Returns the code that is written in a command. */
export function inlineCode(words: readonly string[]): (readonly [language: Language, text: string])[] {
  return runs(words).flatMap(([language, rest]) => {
    const codes = language === "python" ? [pythonStart(rest).code ?? ""] : javaScriptIn(rest);
    return codes.filter((code) => code !== "").map((code) => [language, code] as const);
  });
}

/** Returns the words that may name scripts, whatever their endings. */
export function scriptsIn(words: readonly string[]): (readonly [word: string, language: Language])[] {
  return runs(words).flatMap(([language, rest]) => {
    const scripts = language === "python" ? [pythonStart(rest).script ?? ""] : rest;
    return scripts.map((script) => [script, language] as const);
  });
}

/** Whether a file is a database or a log, which programs write in every run. */
export function isRecord(name: string): boolean {
  return /\.(?:db|sqlite3?|duckdb|parquet|arrow|log|pkl|pickle|np[yz])(?:-\w+|\.wal)?$/i.test(name);
}

/**
 * Returns the words that name a database or a log by their ending but that an interpreter or a shell may run: those before its script, or
 * in place of it.
 */
export function recordsRun(words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    if (!isInterpreter(word) && !isShell(word)) return [];
    const rest = words.slice(index + 1);
    const takesValue = javascript.test(programName(word)) ? /^-/ : /^-[WXo]$/;
    const script = rest.findIndex(
      (each, at) => !each.startsWith("-") && !isRecord(each) && !takesValue.test(rest[at - 1] ?? ""),
    );
    const module = rest.findIndex((each) => /^-[A-Za-z]*[mc]$/.test(each));
    const ends = [script, module].filter((end) => end >= 0);
    return rest.slice(0, Math.min(...ends, rest.length)).filter(isRecord);
  });
}

/** Finds the interpreters in a command, each with the words after it. */
function runs(words: readonly string[]): (readonly [Language, readonly string[]])[] {
  return words.flatMap((word, index) => {
    if (!isInterpreter(word)) return [];
    const language = python.test(programName(word)) ? "python" : "javascript";
    return [[language, words.slice(index + 1)] as const];
  });
}

/** Finds what Python runs: the code after `-c`, the module after `-m`, or else the first word that is not an option. */
function pythonStart(words: readonly string[]): { readonly code?: string; readonly script?: string } {
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (!word.startsWith("-") || word === "-") return { script: word };
    const [, code] = /^-[A-Za-z]*c(.*)$/s.exec(word) ?? [];
    if (code !== undefined) return { code: code === "" ? (words[index + 1] ?? "") : code };
    if (/^-[A-Za-z]*m/.test(word)) return {};
    if (/^-[WX]$/.test(word)) index += 1;
  }
  return {};
}

function javaScriptIn(words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    const [, joined] = /^(?:--eval|--print)=(.*)$/s.exec(word) ?? [];
    if (joined !== undefined) return [joined];
    return /^(?:-[ep]|-pe|--eval|--print|eval)$/.test(word) ? [words[index + 1] ?? ""] : [];
  });
}

/** Returns the env files that options such as `--env-file=.env` name. */
export function environmentFiles(words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    const [, name, joined] = /^--?([\w-]*env[\w-]*)(?:=(.*))?$/s.exec(word) ?? [];
    return name === undefined ? [] : [joined ?? words[index + 1] ?? ""];
  });
}
