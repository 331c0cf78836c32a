import { createHash } from "node:crypto";
import type { Redactor } from "@bridle/core";
import { assertDepth, runEventSchema } from "@bridle/protocol";
import type { TarListener } from "./archive/tar-reader.ts";
import { maxEventBytes, maxManifestBytes } from "./bundle-limits.ts";
import { LineReader } from "./line-reader.ts";
import { manifestName } from "./manifest.ts";
import { AcceptedTexts } from "./secrets/accepted-texts.ts";
import { type NewestRuns, NewestRunsBuilder } from "./texts/run-facts.ts";

/** The size and the hash of a file. */
interface FileDigest {
  readonly bytes: number;
  readonly sha256: string;
}

/** Reads the files of a bundle: their hashes, the manifest and the events. Keeps only the manifest's content. */
export class BundleReader implements TarListener {
  readonly files = new Map<string, FileDigest>();
  readonly #accepted: AcceptedTexts;
  readonly #manifest: Buffer[] = [];
  #events: EventsReader;
  #path = "";
  #hash = createHash("sha256");
  #bytes = 0;

  constructor(redactor: Redactor) {
    this.#accepted = new AcceptedTexts(redactor);
    this.#events = new EventsReader(this.#accepted);
  }

  /** The manifest. Undefined if it is missing or too large. */
  get manifest(): string | undefined {
    const bytes = this.files.get(manifestName)?.bytes ?? 0;
    return bytes === 0 || bytes > maxManifestBytes ? undefined : Buffer.concat(this.#manifest).toString("utf8");
  }

  /** The number of events and the newest runs. Undefined if the events cannot be read. */
  get events(): { readonly count: number; readonly newest: NewestRuns } | undefined {
    return this.#events.result();
  }

  /** The accepted texts. Empty if the events cannot be read. */
  get accepted(): Pick<AcceptedTexts, "has"> {
    return this.events === undefined ? { has: () => false } : this.#accepted;
  }

  begin(path: string): void {
    this.#path = path;
    this.#hash = createHash("sha256");
    this.#bytes = 0;
  }

  add(content: Buffer): void {
    this.#hash.update(content);
    this.#bytes += content.length;
    if (this.#path === "events.jsonl") this.#events.add(content);
    if (this.#path === manifestName && this.#bytes <= maxManifestBytes) this.#manifest.push(content);
  }

  end(): void {
    if (this.#path === "events.jsonl") this.#events.end();
    this.files.set(this.#path, { bytes: this.#bytes, sha256: this.#hash.digest("hex") });
  }
}

/** Reads the lines of `events.jsonl`, up to the first line that is not an event. */
class EventsReader {
  readonly #accepted: AcceptedTexts;
  readonly #newest = new NewestRunsBuilder();
  readonly #lines = new LineReader(maxEventBytes, (line) => this.#addEvent(line));
  #count = 0;
  #isReadable = true;

  constructor(accepted: AcceptedTexts) {
    this.#accepted = accepted;
  }

  add(content: Buffer): void {
    this.#try(() => this.#lines.add(content));
  }

  end(): void {
    this.#try(() => this.#lines.end());
  }

  result() {
    return this.#isReadable ? { count: this.#count, newest: this.#newest.facts() } : undefined;
  }

  #try(read: () => void): void {
    try {
      if (this.#isReadable) read();
    } catch {
      this.#isReadable = false; // the file was changed
    }
  }

  #addEvent(line: string): void {
    const json: unknown = JSON.parse(line);
    assertDepth(json);
    const event = runEventSchema.parse(json);
    this.#newest.add(event);
    this.#accepted.add(event);
    this.#count += 1;
  }
}
