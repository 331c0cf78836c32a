/**
 * What options must be, before anything is loaded or sent. Each check throws a ConfigError that names the field of
 * `bridle.yaml` in `section`, and never repeats a value that may hold a credential.
 */
import { ConfigError } from "@bridle/protocol";

const provider = "llm.provider";

/** The field of `bridle.yaml` that an option comes from. */
export function fieldOf(option: string, section = provider): string {
  return `${section}.${option}`;
}

/** The error for a setting that cannot work. */
export function wrong(option: string, message: string, section = provider): ConfigError {
  return new ConfigError(message, { field: fieldOf(option, section) });
}

export function missing(backend: string, option: string, instead = "", section = provider): ConfigError {
  const message = `The backend ${backend} has no ${option}. Set ${fieldOf(option, section)}${instead}.`;
  return wrong(option, message, section);
}

interface Wanted {
  section?: string | undefined;
  /** What to give, in words. */
  what?: string;
}

/** The value of a setting that a backend cannot do without. */
export function requireSetting(
  backend: string,
  option: string,
  value: string | undefined,
  { section, what }: Wanted = {},
): string {
  if (value !== undefined && value.trim() !== "") return value.trim();
  throw missing(backend, option, what === undefined ? "" : ` to ${what}`, section);
}

/** An address without a slash at its end; `path` is added to one that has none. */
export function baseUrlOf(
  backend: string,
  given: string | undefined,
  standard: string,
  path = "",
  section?: string,
): string {
  if (given === undefined || given.trim() === "") return standard;
  const url = URL.parse(given.trim());
  const fault = url && ["http:", "https:"].includes(url.protocol) ? faultOf(url, section) : "is not an HTTP address";
  if (!url || fault !== undefined) {
    const message = `The base URL of the backend ${backend} ${fault}. Mend ${fieldOf("baseUrl", section)}.`;
    throw wrong("baseUrl", message, section);
  }
  const address = url.href.replace(/\/+$/, "");
  return url.pathname === "/" ? `${address}${path}` : address;
}

/** Node sends no request to an address with a password, paths are put behind a query, and errors would show both. */
function faultOf({ username, password, href }: URL, section?: string): string | undefined {
  const header = section === undefined ? `, and belongs in ${fieldOf("headers")}` : "";
  if (username !== "" || password !== "") return `holds a name or a password, which no request can carry${header}`;
  return /[?#]/.test(href) ? "ends in a query or a fragment, and requests put their path there" : undefined;
}

export function checkCount(option: string, value: number | undefined, section?: string): void {
  if (value === undefined || (Number.isInteger(value) && value >= 1)) return;
  const message = `${fieldOf(option, section)} is ${value}. Give a whole number from 1, or leave it out.`;
  throw wrong(option, message, section);
}

/** Node refuses a header with other characters by an error that shows its value. */
export function checkHeaderValue(option: string, value: string | undefined, section?: string): void {
  if (value === undefined || /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value.trim())) return;
  const message = `${fieldOf(option, section)} holds a character that no header can carry, such as the end of a line. Mend it.`;
  throw wrong(option, message, section);
}

export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    const option = `headers.${name}`;
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw wrong(option, `${fieldOf(option)} is no name of a header. Mend it.`);
    checkHeaderValue(option, value);
  }
}
