import type { Redactor } from "@bridle/core";
import type { RunEvent } from "@bridle/protocol";
import type { BundleFile, SpoolFile } from "./archive/spool-file.ts";
import { maxFiles } from "./archive/tar-header.ts";
import { maxListedRuns } from "./bundle-limits.ts";
import type { Manifest } from "./manifest.ts";
import { AcceptedTexts } from "./secrets/accepted-texts.ts";
import { JsonList } from "./texts/json-list.ts";
import { NewestRunsBuilder } from "./texts/run-facts.ts";
import { RunTexts } from "./texts/run-texts.ts";
import { formatSummary } from "./texts/summary-text.ts";
import { TimelineText } from "./texts/timeline-text.ts";
import { ToolsText } from "./texts/tools-text.ts";
import { TranscriptText } from "./texts/transcript-text.ts";

/** The files of a bundle that are derived from events. They are written at the same time, so that the events are read only once. */
const names = ["events.jsonl", "transcript.md", "tools.md", "timeline.txt", "implicit-sources.json"] as const;
type Spools = Readonly<Record<(typeof names)[number], SpoolFile>>;

/** Opens the temporary files for `EventFiles`. */
export async function createSpools(create: () => Promise<SpoolFile>): Promise<Spools> {
  return {
    "events.jsonl": await create(),
    "transcript.md": await create(),
    "tools.md": await create(),
    "timeline.txt": await create(),
    "implicit-sources.json": await create(),
  };
}

/** Writes the files that are derived from events, and collects the facts that the other files of a bundle need. */
export class EventFiles {
  readonly #spools: Spools;
  readonly #newest = new NewestRunsBuilder();
  readonly #texts: RunTexts;
  readonly #timeline: TimelineText;
  readonly #sources: JsonList;
  readonly #ends = new Map<string, Manifest["runs"][number]>();
  readonly accepted: AcceptedTexts;
  readonly policies = new Set<string>();
  /** Contains at most one more than the maximum number of files in an archive. */
  readonly artifacts = new Set<string>();
  earlierRuns = 0;
  count = 0;

  constructor(spools: Spools, redactor: Redactor) {
    this.#spools = spools;
    this.#texts = new RunTexts(new TranscriptText(spools["transcript.md"]), new ToolsText(spools["tools.md"]));
    this.#timeline = new TimelineText(spools["timeline.txt"]);
    this.#sources = new JsonList(spools["implicit-sources.json"]);
    this.accepted = new AcceptedTexts(redactor);
  }

  /** The outcomes of the newest runs. */
  get runs(): Manifest["runs"] {
    return [...this.#ends.values()];
  }

  async add(events: readonly RunEvent[]): Promise<void> {
    for (const event of events) this.#add(event);
    for (const name of names) await this.#spools[name].flush();
  }

  /** Ends the files. `spool` takes the summary. */
  async finish(spool: SpoolFile): Promise<BundleFile[]> {
    this.#texts.end();
    this.#sources.end();
    const [first = "events.jsonl", ...others] = names;
    const files = [
      await this.#spools[first].finish(first),
      await spool.store("summary.txt", formatSummary(this.#newest.facts())),
    ];
    for (const name of others) files.push(await this.#spools[name].finish(name));
    return files;
  }

  #add(event: RunEvent): void {
    this.count += 1;
    this.#spools["events.jsonl"].add(`${JSON.stringify(event)}\n`);
    this.#texts.add(event, this.#newest.add(event));
    this.#timeline.add(event);
    this.accepted.add(event);
    this.#noteEnd(event);
    if (event.type === "run.started" && this.policies.size < maxFiles) this.policies.add(event.policy);
    if ("artifact" in event && event.artifact && this.artifacts.size <= maxFiles) this.artifacts.add(event.artifact);
    if (event.type !== "model.input") return;
    const { runId, turn, implicitSources, hostAdds } = event;
    this.#sources.add({ runId, turn, implicitSources, hostAdds });
  }

  #noteEnd(event: RunEvent): void {
    const { runId } = event;
    if (event.type === "run.finished") {
      const { stopReason, error } = event.result;
      this.#ends.set(runId, { runId, stopReason, error: error?.message ?? null });
    } else if (!this.#ends.has(runId)) {
      this.#ends.set(runId, { runId, stopReason: null, error: null });
    }
    const [oldest] = this.#ends.keys();
    if (this.#ends.size <= maxListedRuns || oldest === undefined) return;
    this.#ends.delete(oldest);
    this.earlierRuns += 1;
  }
}
