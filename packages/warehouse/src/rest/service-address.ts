import { ConfigError } from "@bridle/protocol";

/**
 * Parses the service address in a setting.
 *
 * @throws ConfigError if credentials would be sent to it unencrypted. Only an address on this machine may use http.
 */
export function parseServiceAddress(text: string, key: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && (url.username !== "" || url.password !== ""))
    throw new ConfigError(`${key} contains a user or a password. Remove the part before the @.`);
  const isLocal = url !== undefined && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url !== undefined && (url.protocol === "https:" || (url.protocol === "http:" && isLocal))) return url;
  throw new ConfigError(`${key} is ${text}, which does not begin with https://. Correct it.`);
}
