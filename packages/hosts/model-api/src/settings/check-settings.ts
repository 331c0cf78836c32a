/**
 * Checks options before anything is loaded or sent. Each check throws a ConfigError that names the field in `bridle.yaml`, and never
 * repeats a value that may contain a credential.
 */
import { ConfigError } from "@bridle/protocol";

const provider = "llm.provider";

/** Returns the path of an option in `bridle.yaml`, such as `llm.provider.apiKey`. */
export function settingPath(option: string, section = provider): string {
  return `${section}.${option}`;
}

/** Returns the error for a setting that cannot work. */
export function settingError(option: string, message: string, section = provider): ConfigError {
  return new ConfigError(message, { field: settingPath(option, section) });
}

/** @param remedy The continuation of the sentence "Set llm.provider.x". */
export function missingSettingError(backend: string, option: string, remedy = "", section = provider): ConfigError {
  const message = `The backend ${backend} has no ${option}. Set ${settingPath(option, section)}${remedy}.`;
  return settingError(option, message, section);
}

interface RequiredSetting {
  section?: string | undefined;
  /** A description of the value, for the error. */
  what?: string | undefined;
}

/** Returns the trimmed value of a setting that a backend requires. */
export function requireSetting(
  backend: string,
  option: string,
  value: string | undefined,
  { section, what }: RequiredSetting = {},
): string {
  if (value !== undefined && value.trim() !== "") return value.trim();
  throw missingSettingError(backend, option, what === undefined ? "" : ` to ${what}`, section);
}

export interface BaseUrlOptions {
  backend: string;
  /** The value of the setting. */
  given: string | undefined;
  /** The address that is used without a setting. */
  standard: string;
  /** The path that is added to an address without a path. */
  path?: string | undefined;
  section?: string | undefined;
}

/** Returns the address without a slash at its end. */
export function readBaseUrl({ backend, given, standard, path = "", section }: BaseUrlOptions): string {
  if (given === undefined || given.trim() === "") return standard;
  const url = URL.parse(given.trim());
  const problem =
    url && ["http:", "https:"].includes(url.protocol) ? findProblem(url, section) : "is not an HTTP address";
  if (!url || problem !== undefined) {
    const message = `The base URL of the backend ${backend} ${problem}. Correct ${settingPath("baseUrl", section)}.`;
    throw settingError("baseUrl", message, section);
  }
  const address = url.href.replace(/\/+$/, "");
  return url.pathname === "/" ? `${address}${path}` : address;
}

/**
 * Returns the problem of an address. Refuses passwords, because Node.js sends no request to such an address, and queries, because paths are
 * added at the end. Error messages would show both.
 */
function findProblem({ username, password, href }: URL, section?: string): string | undefined {
  const header = section === undefined ? `; send it with ${settingPath("headers")}` : "";
  if (username !== "" || password !== "") return `holds a user name or a password, which is not allowed${header}`;
  return /[?#]/.test(href) ? "ends in a query or a fragment, which is not allowed" : undefined;
}

export function checkCount(option: string, value: number | undefined, section?: string): void {
  if (value === undefined || (Number.isInteger(value) && value >= 1)) return;
  const message = `${settingPath(option, section)} is ${value}. Set a whole number from 1, or leave it out.`;
  throw settingError(option, message, section);
}

/** Throws if a header cannot have this value. Node.js itself would refuse it with an error that shows the value. */
export function checkHeaderValue(option: string, value: string | undefined, section?: string): void {
  if (value === undefined || /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value.trim())) return;
  const message = `${settingPath(option, section)} holds a character that a header cannot contain, such as a line break. Remove it.`;
  throw settingError(option, message, section);
}

export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    const option = `headers.${name}`;
    const isName = /^[\w!#$%&'*+.^`|~-]+$/.test(name);
    if (!isName) throw settingError(option, `${settingPath(option)} is not a valid header name. Correct it.`);
    checkHeaderValue(option, value);
  }
}
