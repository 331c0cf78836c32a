/**
 * Reads git's configuration files as git reads them, but without git: https://git-scm.com/docs/git-config#_syntax. All texts have one
 * character for each byte.
 */
import { dirname } from "node:path";
import { readRegularFileSync } from "../read-text-file.ts";
import { type BytePath, expandPath, fromBytePath } from "./byte-paths.ts";

export interface GitSetting {
  /** The section and the name in lower case, such as `core.hookspath`. A subsection, such as a branch or a condition, is in `part`. */
  readonly key: string;
  readonly part: string;
  readonly value: string;
  /** The file that contains the setting. */
  readonly file: BytePath;
}

const maxBytes = 16_000_000;

/**
 * Reads the settings of git configuration files and of all included files, whether or not an include condition is true. From a syntax error
 * on, the rest of a file counts as one setting, because git then refuses to run.
 */
export function readGitSettings(files: readonly BytePath[], home: string | undefined): GitSetting[] {
  const paths = new Set(files);
  const settings: GitSetting[] = [];
  for (const path of paths) {
    const found = new ConfigurationReader(readBytes(path), path).read();
    settings.push(...found);
    for (const { key, value } of found) {
      if (key !== "include.path" && key !== "includeif.path") continue;
      for (const each of pathsOf(value, dirname(path), home)) paths.add(each);
    }
  }
  return settings;
}

/** Lists the paths that a value may mean. Some versions of git replace blanks inside a value with spaces, and others do not. */
export function pathsOf(value: string, folder: BytePath, home: string | undefined): BytePath[] {
  const values = new Set([value, value.replaceAll(/[\t\r]/g, " ")]);
  return [...values].map((each) => expandPath(each, folder, home));
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b", '"': '"', "\\": "\\" };
const isBlank = (char: string) => char === " " || char === "\t" || char === "\r" || char === "\n";
const isName = (char: string) => /^[A-Za-z\d-]$/.test(char);

/** Reads one file like `git_parse_source` in git's config.c. Stops at an error. */
class ConfigurationReader {
  readonly #text: string;
  readonly #file: BytePath;
  readonly #settings: GitSetting[] = [];
  #at = 0;
  #section = "";
  #part = "";

  constructor(text: string, file: BytePath) {
    this.#text = text.replace(/^\u00ef\u00bb\u00bf/, "").replaceAll("\r\n", "\n"); // a byte order mark, and Windows line endings
    this.#file = file;
  }

  read(): GitSetting[] {
    while (this.#at < this.#text.length) {
      const start = this.#at;
      if (this.#readNext()) continue;
      this.#settings.push({ key: "", part: "", value: this.#text.slice(start), file: this.#file });
      break;
    }
    return this.#settings;
  }

  /** Reads a blank, a comment, a header or a setting. Returns whether it is valid. */
  #readNext(): boolean {
    const char = this.#text[this.#at] ?? "";
    if (isBlank(char)) this.#at += 1;
    else if (char === "#" || char === ";") this.#skipLine();
    else if (char === "[") return this.#readHeader();
    else return this.#readSetting();
    return true;
  }

  /** Reads a header such as `[branch "a"]`, or `[branch.a]` in the old spelling. */
  #readHeader(): boolean {
    const header = /\[([A-Za-z\d.-]*)(?:[ \t\r]+"((?:[^"\\\n]|\\[^\n])*)")?\]/y;
    header.lastIndex = this.#at;
    const [whole, name = "", quoted] = header.exec(this.#text) ?? [];
    if (whole === undefined) return false;
    this.#at += whole.length;
    const [section = "", ...parts] = quoted === undefined ? name.split(".") : [name];
    this.#section = section;
    this.#part = quoted === undefined ? parts.join(".") : quoted.replaceAll(/\\([^\n])/g, "$1");
    return true;
  }

  #readSetting(): boolean {
    const start = this.#at;
    if (!/^[A-Za-z]$/.test(this.#text[start] ?? "")) return false;
    while (isName(this.#text[this.#at] ?? "")) this.#at += 1;
    const key = `${this.#section}.${this.#text.slice(start, this.#at)}`.toLowerCase();
    while (this.#text[this.#at] === " " || this.#text[this.#at] === "\t") this.#at += 1;
    const next = this.#text[this.#at] ?? "\n";
    if (next !== "\n" && next !== "=") return false;
    this.#at += 1;
    const value = next === "=" ? this.#readValue() : "";
    if (value === undefined) return false;
    this.#settings.push({ key, part: this.#part, value: value.replace(/\0.*$/s, ""), file: this.#file }); // C strings end there
    return true;
  }

  /** Reads a value up to the end of its line; a backslash at the end continues the line. Handles quotation marks and comments. */
  #readValue(): string | undefined {
    let [value, isQuoted, blanks] = ["", false, ""]; // blanks at the start and the end do not count, unless they are quoted
    for (; this.#at < this.#text.length; this.#at += 1) {
      const char = this.#text[this.#at] ?? "";
      if (char === "\n") break;
      if (!isQuoted && isBlank(char)) {
        if (value !== "") blanks += char;
        continue;
      }
      if (!isQuoted && (char === "#" || char === ";")) {
        this.#skipLine();
        return value;
      }
      value += blanks;
      blanks = "";
      if (char === '"') isQuoted = !isQuoted;
      else if (char !== "\\") value += char;
      else {
        this.#at += 1;
        const escaped = this.#text[this.#at] ?? "\n";
        if (escaped === "\n") continue;
        if (escapes[escaped] === undefined) return undefined;
        value += escapes[escaped];
      }
    }
    this.#at += 1;
    return isQuoted ? undefined : value;
  }

  #skipLine(): void {
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#text.length : end + 1;
  }
}

function readBytes(path: BytePath): string {
  try {
    return readRegularFileSync(fromBytePath(path), maxBytes).toString("latin1");
  } catch {
    return "";
  }
}
