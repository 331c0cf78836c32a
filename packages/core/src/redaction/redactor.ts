/** Redacts credentials: known texts, and texts that look like a credential. */

import { isPlainObject } from "@bridle/protocol";
import { isNamedCredential } from "./credential-forms.ts";
import { isCredentialName } from "./credential-names.ts";
import { CredentialWatch } from "./credential-watch.ts";
import { listUnfinishedViews, listViews, positionIn, type View } from "./decoded-view.ts";
import { markByLength, mergeFindings, replaceFindings, type SecretFinding } from "./finding.ts";
import { type KnownSecret, KnownSecrets } from "./known-secrets.ts";
import { type FormSearch, searchForms } from "./search-forms.ts";
import { passwordsIn } from "./secret-spellings.ts";

export { isCredentialName } from "./credential-names.ts";

/** Replaces credentials in texts and JSON values. */
export interface ReplacesCredentials {
  text(text: string): string;
  /**
   * Redacts credentials in all strings of a JSON value, including keys and attached texts, and every text under a credential's name.
   * Returns the same value if it contains no credential.
   */
  value(value: unknown): unknown;
}

/**
 * Replaces credentials with `[secret NAME]` or `[secret: 14 characters]`, and nothing else. Pure. The time is proportional to the length of
 * the text.
 */
export interface Redactor extends ReplacesCredentials {
  /**
   * Replaces known credentials only. Keeps texts that merely look like a credential, contents of the project's files, and parts of longer
   * words. Used for the values in approvals, because the user must see everything that will run. Default: the same as `text` and `value`.
   */
  readonly known?: ReplacesCredentials;
  /** Finds the credentials in a text. Needed to redact texts that arrive in pieces. */
  search?(text: string): CredentialSearch;
  /**
   * Watches one text that arrives in pieces. The returned function returns whether a credential may begin in a piece; if not, and no
   * credential is open, the piece is not searched. Default: every piece is searched.
   */
  watch?(): (piece: string) => boolean;
}

export interface CredentialSearch {
  /** The credentials, in order and without overlaps. */
  readonly findings: readonly SecretFinding[];
  /** Whether a credential may continue after the text. */
  readonly isOpen: boolean;
  /** The position at which the open credential begins; the length of the text if no credential is open. */
  readonly open: number;
}

export interface RedactorOptions {
  /** Known credentials. A credential with fewer than six characters is redacted only if it is the whole string. */
  readonly secrets?: readonly (string | KnownSecret)[];
  /** Variables whose values are redacted if the name is a credential's. In other values, only passwords are redacted. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/**
 * Creates a redactor for known texts and for everything that looks like a credential.
 *
 * @example createRedactor({ secrets: ["tulip-9931"] }).text("It is tulip-9931.") // "It is [secret: 10 characters]."
 */
export function createRedactor({ secrets = [], environment = {} }: RedactorOptions = {}): Redactor {
  const named = Object.entries(environment).flatMap(([name, text = ""]) =>
    (isCredentialName(name) ? [text] : passwordsIn(text)).map((value) => ({ value, name })),
  );
  const given = secrets.map((secret) => (typeof secret === "string" ? { value: secret } : secret));
  const known = new KnownSecrets([...named, ...given]);
  const unwritten = given.every(({ isWritten }) => !isWritten)
    ? known
    : new KnownSecrets([...named, ...given.filter(({ isWritten }) => !isWritten)]);

  function search(text: string): CredentialSearch {
    const views = listViews(text);
    const unfinished = listUnfinishedViews(text);
    const forms = searchViews(views);
    const opens = [known.begins(views), forms.open, known.begins(unfinished), searchViews(unfinished).open];
    const starts = opens.filter((each) => each !== undefined);
    return {
      findings: mergeFindings([...known.find(views), ...forms.findings]),
      isOpen: starts.length > 0,
      open: Math.min(text.length, ...starts),
    };
  }

  function findAll(text: string): readonly SecretFinding[] {
    const views = listViews(text);
    const forms = longWord.test(text) ? searchViews(views).findings : [];
    return mergeFindings([...known.find(views), ...forms]);
  }

  function findUnwritten(text: string): readonly SecretFinding[] {
    const findings = unwritten.find(listViews(text));
    return mergeFindings(findings.filter((finding) => !isPartOfWord(text, finding)));
  }

  const all = createReplacement(
    (text) => known.markOf(text) ?? replaceFindings(text, findAll(text)),
    isNamedCredential,
  );
  const onlyKnown = createReplacement(
    (text) => unwritten.markOf(text) ?? replaceFindings(text, findUnwritten(text)),
    () => false,
  );
  function watch(): (piece: string) => boolean {
    const credentials = new CredentialWatch(known);
    return (piece) => credentials.add(piece);
  }

  return { ...all, known: onlyKnown, search, watch };
}

/**
 * Matches as many characters without a space as every form of a credential has at least. Many texts have no such word and need no search.
 */
const longWord = /\S{7}/;

const escapeAtEnd = /(?:\\[a-z]|(?:%|\\x)[0-9a-f]{2}|\\u[0-9a-f]{4})$/i;

/** Whether a finding is a word of letters within a longer one, such as "secret" in "secretary". */
function isPartOfWord(text: string, { start, end }: SecretFinding): boolean {
  const isWord = /^[A-Za-z]?[a-z]+$/.test(text.slice(start, end));
  const before = text.slice(Math.max(0, start - 6), start);
  return isWord && ((/[A-Za-z]$/.test(before) && !escapeAtEnd.test(before)) || /[a-z]/.test(text[end] ?? ""));
}

/** Searches the decoded forms of a text for credentials by their form. Positions are those of the original. */
function searchViews(views: readonly View[]): FormSearch {
  const searches = views.map((view) => ({ view, ...searchForms(view.text) }));
  const findings = searches.flatMap(({ view, findings: inView }) =>
    inView.map((each) => ({ ...each, start: positionIn(view, each.start), end: positionIn(view, each.end) })),
  );
  const opens = searches.flatMap(({ view, open }) => (open === undefined ? [] : [positionIn(view, open)]));
  return { findings, open: opens.length === 0 ? undefined : Math.min(...opens) };
}

/** Creates the functions that replace credentials. `isNamed` returns whether a text is a credential because of its key. */
function createReplacement(
  text: (text: string) => string,
  isNamed: (name: string, text: string) => boolean,
): ReplacesCredentials {
  function value(original: unknown): unknown {
    if (typeof original === "string") return text(original);
    if (Array.isArray(original)) return sameOr(original, original.map(value));
    if (!isPlainObject(original)) return original;
    const entries = Object.entries(original).map(([key, item]) => [text(key), field(key, item, original)] as const);
    return entries.every(([key, item]) => original[key] === item) ? original : Object.fromEntries(entries);
  }

  function field(key: string, item: unknown, holder: object): unknown {
    if (key === "data" && typeof item === "string" && "mediaType" in holder) return attachment(item, holder.mediaType);
    if (typeof item === "string") return isNamed(key, item) ? markByLength(item.length) : text(item);
    if (Array.isArray(item) && isCredentialName(key))
      return sameOr(
        item,
        item.map((each) => field(key, each, {})),
      );
    return value(item);
  }

  /** Redacts an attachment, which stays base64. In a text file the credential is replaced; any other file is replaced whole. */
  function attachment(data: string, mediaType: unknown): string {
    const content = Buffer.from(data, "base64").toString("utf8");
    const isText = typeof mediaType === "string" && mediaType.startsWith("text/");
    if (isText) return text(content) === content ? data : Buffer.from(text(content)).toString("base64");
    return text(data) === data ? data : Buffer.from(markByLength(data.length)).toString("base64");
  }

  return { text, value };
}

function sameOr(original: readonly unknown[], items: readonly unknown[]): readonly unknown[] {
  return items.every((item, index) => item === original[index]) ? original : items;
}
