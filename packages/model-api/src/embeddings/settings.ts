/** What the settings of an embedder must be, before anything is loaded or sent. Each throws a ConfigError. */
import { ConfigError } from "@bridle/core";
import { fieldOf as fieldIn } from "../settings.ts";

/** The part of `bridle.yaml` that the options come from. */
export const section = "embeddings";

export function fieldOf(option: string): string {
  return fieldIn(option, section);
}

/** The value of a setting that a backend cannot do without; `what` says what to give. */
export function needed(backend: string, option: string, value: string | undefined, what: string): string {
  if (value !== undefined && value.trim() !== "") return value.trim();
  throw wrong(option, `The backend ${backend} has no ${option}. Set ${fieldOf(option)} to ${what}.`);
}

/** An address without a slash at its end. */
export function addressOf(option: string, value: string): string {
  const url = URL.parse(value);
  if (url && ["http:", "https:"].includes(url.protocol)) return url.href.replace(/\/+$/, "");
  throw wrong(option, `${fieldOf(option)} is no address. Give one that begins with http:// or https://.`);
}

export function checkCount(option: string, value: number | undefined): void {
  if (value === undefined || (Number.isInteger(value) && value >= 1)) return;
  throw wrong(option, `${fieldOf(option)} is ${value}. Give a whole number from 1, or leave it out.`);
}

export function wrong(option: string, message: string): ConfigError {
  return new ConfigError(message, { field: fieldOf(option) });
}
