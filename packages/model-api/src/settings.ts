/** What an option must be, before anything is sent. */
import { ConfigError } from "@bridle/core";

/** The field of `bridle.yaml` that an option comes from. */
export function fieldOf(option: string, section = "llm.provider"): string {
  return `${section}.${option}`;
}

/** The value, or a ConfigError that names the field. */
export function requireSetting(backend: string, option: string, value: string | undefined): string {
  if (value !== undefined && value.trim() !== "") return value.trim();
  throw missing(backend, option);
}

export function missing(backend: string, option: string, instead = ""): ConfigError {
  const field = fieldOf(option);
  return new ConfigError(`The backend ${backend} has no ${option}. Set ${field}${instead}.`, { field });
}

/** An address without a slash at its end; `path` is added to one that has none. Throws ConfigError for no HTTP address. */
export function baseUrlOf(backend: string, given: string | undefined, standard: string, path = ""): string {
  if (given === undefined || given.trim() === "") return standard;
  const url = URL.parse(given.trim());
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    const field = fieldOf("baseUrl");
    throw new ConfigError(`The base URL of the backend ${backend} is not an HTTP address. Mend ${field}.`, { field });
  }
  if (url.username !== "" || url.password !== "") throw withCredentials(backend);
  const address = url.href.replace(/\/+$/, "");
  return url.pathname === "/" ? `${address}${path}` : address;
}

/** Node sends no request to such an address, and errors would show it. */
function withCredentials(backend: string): ConfigError {
  const field = fieldOf("baseUrl");
  const message = `The base URL of the backend ${backend} holds a name or a password. Take them out of ${field}, and use a header.`;
  return new ConfigError(message, { field });
}
