import { ConfigError, type EventLog } from "@bridle/protocol";
import { maxFiles } from "./archive/tar-header.ts";
import type { EventFiles } from "./event-files.ts";
import type { LeftOut } from "./manifest.ts";

/** The maximum number of artifacts in a bundle. The rest is for the bundle's other files. */
const maxArtifacts = maxFiles - 1000;

/**
 * Yields paths and contents of the files with rules and, with `withArtifacts`, of those with whole inputs and results. Adds omitted and
 * missing artifacts to `leftOut`.
 */
export async function* bundleArtifacts(
  { policies, artifacts }: Pick<EventFiles, "policies" | "artifacts">,
  eventLog: Pick<EventLog, "artifact">,
  withArtifacts: boolean,
  leftOut: LeftOut,
): AsyncGenerator<readonly [path: string, text: string]> {
  if (withArtifacts && policies.size + artifacts.size > maxArtifacts) throw tooMany(policies.size + artifacts.size);
  const used = new Set<string>();
  for (const id of [...policies].slice(0, maxArtifacts)) {
    const path = `policies/${toFileName(id)}.json`;
    const text = await eventLog.artifact(id);
    if (text === undefined) leftOut.push({ what: `the rules ${id}`, why: "the event log does not have their text" });
    else if (!used.has(path)) yield [path, text];
    used.add(path);
  }
  if (!withArtifacts && artifacts.size > 0) leftOut.push(describeOmitted(artifacts.size));
  for (const id of withArtifacts ? artifacts : []) {
    const path = `artifacts/${toFileName(id)}`;
    const text = await eventLog.artifact(id);
    if (text === undefined) leftOut.push({ what: `artifact ${id}`, why: "the event log no longer has it" });
    else if (!used.has(path)) yield [path, text];
    used.add(path);
  }
}

function describeOmitted(count: number): LeftOut[number] {
  const artifacts = count > maxFiles ? `more than ${maxFiles} artifacts` : `${count} artifacts`;
  return { what: artifacts, why: "they are whole inputs and results; --artifacts adds them" };
}

function tooMany(count: number): ConfigError {
  return new ConfigError(
    `The bundle was not written: it would have ${count} artifacts or more, and the limit is ${maxArtifacts}. Name one run, or omit --artifacts.`,
  );
}

/** Escapes the id for use in a path, because callers can choose any string as an id. */
function toFileName(id: string): string {
  return id.replaceAll(/[^\w-]/g, "_").slice(0, 80);
}
