/**
 * Takes credentials out of what is kept: texts that are known, and texts that look like one. To know one more vendor's
 * keys, add a line to `credentialForms`.
 */
import { escapeExpression } from "./escape-expression.ts";
import { isPlainObject } from "./json.ts";

/** What stands where a credential was. */
export const secretMark = "[secret]";

/** A credential by its form; a lookbehind keeps what only leads to it. Each matches the whole credential. */
const credentialForms: readonly RegExp[] = [
  // Blocks.
  /-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gs,
  // Tokens that say what they are: JSON Web Tokens and encrypted ones, then vendors' keys by their prefix.
  /\beyJ[\w-]{8,}(?:\.[\w-]+){1,4}/g,
  /\bsk-[\w-]{16,}/g, // Anthropic, OpenAI, OpenRouter
  /\b(?:sk|rk|pk)_(?:live|test)_\w{10,}|\bwhsec_\w{16,}/g, // Stripe
  /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g, // AWS
  /\bAIza[\w-]{30,}|\bya29\.[\w.-]{16,}|\bGOCSPX-[\w-]{16,}|\b1\/\/0[\w-]{20,}/g, // Google
  /\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}/g, // GitHub, GitLab
  /\bxox[a-z]-[\w-]{10,}|\bxapp-[\w-]{10,}/g, // Slack
  /\bnpm_\w{30,}|\bpypi-[\w-]{40,}|\bhf_\w{20,}|\br8_\w{20,}/g, // npm, PyPI, Hugging Face, Replicate
  /\bgsk_\w{20,}|\bxai-\w{20,}|\bpplx-\w{20,}|\bfw_\w{20,}/g, // Groq, xAI, Perplexity, Fireworks
  /\bSG\.[\w-]{16,}\.[\w-]{16,}|\bdop_v1_\w{32,}|\bshpat_\w{20,}|\bdapi[a-f0-9]{32}\b/g, // SendGrid, DigitalOcean, Shopify, Databricks
  // Credentials by what stands before them.
  /(?<=\bbearer\s+)[\w.~+/-]{16,}=*/gi,
  /(?<=\bauthorization\\?["']?\s*[:=]\s*\\?["']?(?:[a-z]+\s+)?)[\w.~+/-]{8,}=*/gi,
  /(?<=\b[a-z][a-z0-9+.-]*:\/\/[^\s/?#@:"'<>]*:)(?!\d+(?:[/?#\s]|$))[^\s"'<>]+(?=@)/gi,
  /(?<=\b[a-z][a-z0-9+.-]*:\/\/)[\w-]{20,}(?=@)/gi,
  /(?<=(?:api[_-]?key|[_-]token|secret|secret[_-]?access[_-]?key|passw(?:or)?d|private[_-]?key)\\?["']?\s*[:=]\s*\\?["']?)(?=[^\s"'\\,;&]*\d)[^\s"'\\,;&]{8,}/gi,
];

const credentialName =
  /(?:(?:^|[_-])(?:api[_-]?key|(?:access|secret|private|account|subscription)[_-]?key|secrets?|passphrase|credentials?|authorization|(?:access|refresh|auth|bearer|oauth|session|id|api|bot|personal)[_-]?token)|passw(?:or)?d|[_-]pwd)$/i;

/** True for the name of a variable or field that holds a credential, such as `OPENAI_API_KEY` or `clientSecret`. */
export function isCredentialName(name: string): boolean {
  return credentialName.test(name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")) || /^[A-Z0-9_]+_TOKEN$/.test(name);
}

/** Puts `[secret]` in the place of credentials. Pure. */
export interface Redactor {
  text(text: string): string;
  /**
   * The same in every string of a JSON value, keys included; and whatever text stands under a credential's name. The
   * value itself where it holds none.
   */
  value(value: unknown): unknown;
}

export interface RedactorOptions {
  /** Texts to take out wherever they stand; those under six characters only where they are all of a string. */
  readonly secrets?: readonly string[];
  /** The values of variables whose names are those of credentials are taken out, too. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

const shortestAnywhere = 6;

/** Every form needs so much without a space, which a piece of a stream seldom has. */
const longWord = /\S{7}/;

/**
 * Makes a redactor for known texts and for everything that looks like a credential.
 *
 * @example createRedactor({ secrets: ["tulip-9931"] }).text("It is tulip-9931.") // "It is [secret]."
 */
export function createRedactor({ secrets = [], environment = {} }: RedactorOptions = {}): Redactor {
  const named = Object.entries(environment).flatMap(([name, text]) => (text && isCredentialName(name) ? [text] : []));
  const known = [...secrets, ...named].filter((text) => text.trim() !== "");
  const whole = new Set(known);
  const anywhere = toExpression(known.filter((text) => text.length >= shortestAnywhere).flatMap(spellings));

  function text(original: string): string {
    if (whole.has(original)) return secretMark;
    const rest = anywhere === undefined ? original : original.replaceAll(anywhere, secretMark);
    if (!longWord.test(rest)) return rest;
    return credentialForms.reduce((found, form) => found.replaceAll(form, secretMark), rest);
  }

  function value(original: unknown): unknown {
    if (typeof original === "string") return text(original);
    if (Array.isArray(original)) {
      const items = original.map(value);
      return items.every((item, index) => item === original[index]) ? original : items;
    }
    if (!isPlainObject(original)) return original;
    const entries = Object.entries(original).map(([key, item]) => [text(key), field(key, item)] as const);
    return entries.every(([key, item]) => original[key] === item) ? original : Object.fromEntries(entries);
  }

  function field(key: string, item: unknown): unknown {
    return typeof item === "string" && item !== "" && isCredentialName(key) ? secretMark : value(item);
  }

  return { text, value };
}

/** A text as it is, inside of JSON, and inside of an address. */
function spellings(text: string): string[] {
  return [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text.toWellFormed())];
}

function toExpression(texts: readonly string[]): RegExp | undefined {
  const longestFirst = [...new Set(texts)].toSorted((a, b) => b.length - a.length);
  return longestFirst.length === 0 ? undefined : new RegExp(longestFirst.map(escapeExpression).join("|"), "g");
}
