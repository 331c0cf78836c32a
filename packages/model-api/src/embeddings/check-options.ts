import { ConfigError, suggestion } from "@bridle/core";
import { type EmbedderOptions, embedderBackends, type HostedEmbedderOptions } from "./options.ts";

/** @throws ConfigError for the first setting that cannot work; its `field` is the name of the option. */
export function checkOptions(options: EmbedderOptions): void {
  if (!embedderBackends.includes(options.backend)) throw unknownBackend(options.backend);
  if (options.backend === "none") return;
  need(options.model, "model", options.backend, "the name of a model that embeds");
  checkCount(options.dimensions, "dimensions");
  checkCount(options.batchSize, "batchSize");
  checkAccess(options);
  checkUrl(options.baseUrl);
}

function checkAccess(options: HostedEmbedderOptions): void {
  const { backend, apiKey, baseUrl } = options;
  if (backend === "openai-compatible")
    need(baseUrl, "baseUrl", backend, "the address of the server, such as http://localhost:11434/v1");
  else need(apiKey, "apiKey", backend, "a key of the account that pays; none is looked for elsewhere");
  if (backend === "azure_openai") checkResource(options.resourceName, baseUrl);
}

/** The name becomes a part of the host's name, so that it must not be able to end it. */
function checkResource(resourceName: string | undefined, baseUrl: string | undefined): void {
  if ((resourceName === undefined) === (baseUrl === undefined))
    throw wrong("resourceName", "The backend azure_openai needs either resourceName or baseUrl. Set one of the two.");
  if (resourceName !== undefined && !/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(resourceName))
    throw wrong("resourceName", `"${resourceName}" is no name of a resource. Give the NAME of NAME.openai.azure.com.`);
}

function checkUrl(baseUrl: string | undefined): void {
  if (baseUrl === undefined || /^https?:$/.test(URL.parse(baseUrl)?.protocol ?? "")) return;
  throw wrong("baseUrl", `"${baseUrl}" is no address. Give one that begins with http:// or https://.`);
}

function checkCount(value: number | undefined, field: string): void {
  if (value === undefined || (Number.isInteger(value) && value >= 1)) return;
  throw wrong(field, `${field} is ${value}. Give a whole number from 1, or leave it out.`);
}

function need(value: string | undefined, field: string, backend: string, what: string): void {
  if (!value) throw wrong(field, `The backend ${backend} needs ${field}. Give ${what}.`);
}

function unknownBackend(backend: string): ConfigError {
  const known = `Choose one of ${embedderBackends.join(", ")}.`;
  return wrong(
    "backend",
    `There is no backend "${backend}" for embeddings. ${known}${suggestion(backend, embedderBackends)}`,
  );
}

function wrong(field: string, message: string): ConfigError {
  return new ConfigError(message, { field });
}
