/** A single text, piped in or passed by a program. */
import { ConfigError } from "@bridle/protocol";
import { readFrontMatter } from "../files/front-matter.ts";
import { firstHeading, toTitle } from "../files/title.ts";
import type { SourceServices } from "../kinds/source-kind.ts";
import type { FetchContext, FetchEvent, IngestSource } from "../source.ts";
import type { TextSettings } from "./text-settings.ts";

const maxChars = 2_000_000;

export function createTextSource(name: string, settings: TextSettings, services: SourceServices): IngestSource {
  if (settings.text === undefined && services.readInput === undefined)
    throw new ConfigError(`The source ${name} has no text, and there is no standard input. Pass one of them.`);
  return new TextSource(name, settings, services);
}

class TextSource implements IngestSource {
  readonly type = "text";
  readonly name: string;
  readonly #settings: TextSettings;
  readonly #services: SourceServices;

  constructor(name: string, settings: TextSettings, services: SourceServices) {
    this.name = name;
    this.#settings = settings;
    this.#services = services;
  }

  async *fetch({ signal }: FetchContext): AsyncIterable<FetchEvent> {
    const whole = this.#settings.text ?? (await this.#services.readInput?.()) ?? "";
    signal.throwIfAborted();
    if (whole.trim() === "") throw new ConfigError(`The text of ${this.name} is empty. Pipe in a text.`);
    if (whole.length > maxChars)
      throw new ConfigError(
        `The text of ${this.name} is longer than ${maxChars.toLocaleString("en")} characters. Split it.`,
      );
    const { title, text, updatedAt = (this.#services.now?.() ?? new Date()).toISOString() } = readFrontMatter(whole);
    const name = this.#settings.title ?? title ?? firstHeading(text) ?? text.trim().split("\n", 1)[0] ?? "";
    const authority = this.#settings.authority ?? "document";
    yield { kind: "item", item: { id: "text", title: toTitle(name), text, kind: "text", authority, updatedAt } };
    yield { kind: "complete" };
  }
}
