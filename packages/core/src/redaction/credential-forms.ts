/**
 * Forms of credentials, and names of variables that hold them. To support another vendor's keys, add a line to `prefixForms`.
 *
 * Every form has a beginning of limited length and a run of characters after it. The run is read once for each form, so the search time is
 * proportional to the length of the text.
 */
import { isCredentialName } from "./credential-names.ts";
import { isMark } from "./finding.ts";

export interface Form {
  /** Matches the beginning, which has a limited length. */
  readonly begin: string;
  /** Returns the end of the characters that may belong to the credential. `from` is the end of the beginning. */
  run(text: string, from: number): number;
  /** Returns the length of the credential at the start of a run; 0 if the run does not start with one. */
  accept(run: string, text: string, end: number): number;
  /** Returns how many characters of a refused run cannot contain the rest of another beginning. Default: all. */
  refused?(run: string): number;
  /** Whether the beginning is part of the credential, such as a key's prefix. */
  readonly isPart?: boolean;
  /** Whether the name in the beginning names a credential. Default: any name is. */
  names?(name: string): boolean;
}

/** Creates a `run` that ends where characters stop matching `pattern`, which has to be sticky. */
function runOf(pattern: RegExp): Form["run"] {
  return (text, from) => {
    pattern.lastIndex = from;
    return pattern.test(text) ? pattern.lastIndex : from;
  };
}

function token(begin: string, characters: string, shortest: number): Form {
  const accept = (run: string) => (run.length >= shortest ? run.length : 0);
  return { begin: `\\b(?:${begin})`, run: runOf(new RegExp(`[${characters}]*`, "y")), accept, isPart: true };
}

/** Creates the form of a token whose run must match a pattern of limited length. The pattern begins with `^`. */
function shaped(begin: string, run: RegExp, shape: RegExp): Form {
  const accept = (text: string) => shape.exec(text)?.[0].length ?? 0;
  return { begin: `\\b(?:${begin})`, run: runOf(run), accept, isPart: true };
}

function upToDot(run: string): number {
  return run.includes(".") ? run.indexOf(".") + 1 : run.length;
}

/** Creates the form of a token of parts separated by dots. `shortest` has the minimum lengths of the first part and of the others. */
function dotted(begin: string, run: RegExp, shortest: readonly [first: number, other: number]): Form {
  const accept = (text: string) => lengthOfParts(text.split("."), shortest);
  return { begin: `\\b(?:${begin})`, run: runOf(run), accept, isPart: true, refused: upToDot };
}

/** Measures parts without a regular expression, which would fail on parts of many megabytes. */
function lengthOfParts([head = "", ...others]: readonly string[], [first, other]: readonly [number, number]): number {
  const short = others.findIndex((part) => part.length < other);
  const parts = short < 0 ? others : others.slice(0, short);
  if (head.length < first || parts.length === 0) return 0;
  return parts.reduce((length, part) => length + 1 + part.length, head.length);
}

/** Credentials that a prefix identifies. */
export const prefixForms: readonly Form[] = [
  // JSON Web Tokens and encrypted ones
  dotted("eyJ", /[\w-]*(?:\.[\w-]*){0,4}/y, [8, 1]),
  token("sk-", String.raw`\w-`, 16), // Anthropic, OpenAI, OpenRouter
  token("(?:sk|rk|pk)_(?:live|test)_", String.raw`\w`, 10), // Stripe
  token("whsec_", String.raw`\w`, 16),
  shaped("AKIA|ASIA|ABIA|ACCA", /\w*/y, /^[A-Z0-9]{16}$/), // AWS
  token("AIza", String.raw`\w-`, 30), // Google
  token(String.raw`ya29\.`, String.raw`\w.-`, 16),
  token("GOCSPX-", String.raw`\w-`, 16),
  token(String.raw`1\/\/0`, String.raw`\w-`, 20),
  token("gh[pousr]_", String.raw`\w`, 20), // GitHub, GitLab
  token("github_pat_", String.raw`\w`, 20),
  token("glpat-", String.raw`\w-`, 16),
  token("xox[a-z]-|xapp-", String.raw`\w-`, 10), // Slack
  token("npm_", String.raw`\w`, 30), // npm, PyPI, Hugging Face, Replicate
  token("pypi-", String.raw`\w-`, 40),
  token("hf_|r8_", String.raw`\w`, 20),
  token("gsk_|xai-|pplx-|fw_", String.raw`\w`, 20), // Groq, xAI, Perplexity, Fireworks
  dotted(String.raw`SG\.`, /[\w-]*(?:\.[\w-]*)?/y, [16, 16]), // SendGrid
  token("dop_v1_", String.raw`\w`, 32), // DigitalOcean, Shopify, Databricks
  token("shpat_", String.raw`\w`, 20),
  shaped("dapi", /\w*/y, /^[a-f0-9]{32}$/),
];

export const keyForm: Form = {
  begin: "-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----",
  run: runOfKey,
  accept: (run) => run.length,
  isPart: true,
};

/** Matches a line of a private key, or its header. Other lines stay visible, even if the end of the key is missing. */
const keyLine =
  /(?:\s|\\{1,8}[nr])*(?:(?:Proc-Type|DEK-Info):[^\r\n\\]{0,80}|[A-Za-z0-9+/=]{20,65536}|[A-Za-z0-9+/=]{1,19}(?=\s|\\|-|$))/y;
const keyEnd =
  /(?:\s|\\{1,8}[nr])*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|-{1,5}(?:E(?:N(?:D(?: [A-Z -]{0,60})?)?)?)?$)?/y;

function runOfKey(text: string, from: number): number {
  let at = from;
  for (let next = runOf(keyLine)(text, at); next > at; next = runOf(keyLine)(text, at)) at = next;
  return runOf(keyEnd)(text, at);
}

/** Passwords may contain all characters except those that a shell or a program would interpret. */
const passwordCharacters = runOf(/[^\s"'\\,;&|<>()`$]*/y);
const headerRun = runOf(/[\w.~+/-]*=*/y);
const schemes = "bearer|basic|token|digest|negotiate|api-?key|key|oauth|hawk|dpop";
const gap = String.raw`\\{0,4}["']?\s{0,20}[:=]\s{0,20}\\{0,4}["']?`;
const passwordName = "secret[_-]?access[_-]?key|api[_-]?key|private[_-]?key|[_-]token|secret|passw(?:or)?d";
const fieldName = String.raw`[\w.-]{1,128}`;
const maxUserInfoLength = 200;

/** Forms of credentials in a field or an address. The text before them is kept. */
export const fieldForms: readonly Form[] = [
  {
    begin: String.raw`(?<!\\)"(?<double>${fieldName})"\s{0,20}:\s{0,20}"`,
    run: runToQuote('"'),
    accept: acceptField,
    names: isCredentialName,
  },
  {
    begin: String.raw`(?<!\\)'(?<single>${fieldName})'\s{0,20}:\s{0,20}'`,
    run: runToQuote("'"),
    accept: acceptField,
    names: isCredentialName,
  },
  {
    begin: String.raw`s:\d{1,5}:"(?<php>${fieldName})";s:\d{1,8}:"`,
    run: runToQuote('"'),
    accept: acceptField,
    names: isCredentialName,
  },
  {
    begin: String.raw`[a-z0-9+.-]:\/\/[^\s/?#@:"'<>]{0,256}:`,
    run: runOf(new RegExp(String.raw`[^\s"'<>]{0,${maxUserInfoLength}}`, "y")),
    accept: acceptUserInfo,
    refused: (run) => (run.length < maxUserInfoLength ? run.length : 0),
  },
  {
    begin: String.raw`[a-z0-9+.-]:\/\/`,
    run: runOf(/[\w-]*/y),
    accept: (run, text, end) => (run.length >= 20 && text[end] === "@" ? run.length : 0),
  },
];

/** Forms of credentials after a name in any letter case, such as headers and assignments. The text before them is kept. */
export const headerForms: readonly Form[] = [
  {
    begin: String.raw`\bauthorization${gap}(?:(?:${schemes})\s{1,20})?`,
    run: headerRun,
    accept: (run) => (/^[\w.~+/-]{8}/.test(run) ? run.length : 0),
  },
  {
    begin: String.raw`\bbearer\s{1,20}`,
    run: headerRun,
    accept: (run) => (/^[\w.~+/-]{16}/.test(run) ? run.length : 0),
  },
  { begin: `(?:${passwordName})${gap}`, run: passwordRun, accept: acceptPassword },
];

/** Finds the closing quote. Without one, the run goes to the end of the text. */
function runToQuote(quote: string): Form["run"] {
  return (text, from) => {
    for (let at = from; at < text.length; at += 1) {
      if (text[at] === "\\") at += 1;
      else if (text[at] === quote) return at;
    }
    return text.length;
  };
}

function acceptField(run: string, text: string, end: number): number {
  return end < text.length && !run.startsWith("${") && !isMark(run) ? run.length : 0;
}

/** Accepts a password before the host of an address. A port is not a password, and a password ends before code that a shell would run. */
function acceptUserInfo(run: string): number {
  if (/^\d{1,6}(?:[/?#]|$)/.test(run)) return 0;
  const authority = /^[^/?#]*@/.exec(run)?.[0].length;
  const length = (authority ?? run.indexOf("@") + 1) - 1;
  const code = run.search(/\$[({]|[`|]/);
  return Math.max(0, code >= 0 && code < length ? code : length);
}

function acceptPassword(run: string): number {
  return run.length >= 8 && /\d/.test(run) && !run.startsWith("${") ? run.length : 0;
}

function passwordRun(text: string, from: number): number {
  let at = passwordCharacters(text, from);
  while (text[at] === "$" && text[at + 1] !== "(" && text[at + 1] !== "{") at = passwordCharacters(text, at + 1);
  return at;
}

const passwordNameAtEnd = new RegExp(`(?:${passwordName})$`, "i");

/** Whether the value of a field or variable with this name counts as a credential. */
export function isNamedCredential(name: string, text: string): boolean {
  if (text === "" || isMark(text)) return false;
  if (isCredentialName(name)) return true;
  return passwordNameAtEnd.test(name) && acceptPassword(text.slice(0, passwordRun(text, 0))) > 0;
}
