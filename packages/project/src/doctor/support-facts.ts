import { join } from "node:path";
import { createRedactor, type Redactor, readTextFile, refuseLinks, sha256 } from "@bridle/core";
import {
  type BackendFeatures,
  type BridleError,
  formatPosition,
  isPlainObject,
  omitUndefined,
  type TrustedState,
} from "@bridle/protocol";
import type { Environment } from "../config/variables.ts";
import { settingsRedactor } from "../event-log/event-log.ts";
import { logFolder, logNames } from "../event-log/file-log.ts";
import { readFeatures } from "../hosts/connect.ts";
import { bridleFolder } from "../namespace/folders.ts";
import type { Settings } from "../settings/settings.ts";
import { collectStatus } from "../status/describe-status.ts";
import type { Status } from "../status/status-schema.ts";
import { summarizeTrust } from "../trust/trust-schema.ts";
import type { Check } from "./check.ts";
import { checksWithoutProject, runChecks } from "./run-doctor.ts";

/** The value of one setting, without credentials, and its source. */
export interface ResolvedSetting {
  readonly path: string;
  readonly value: unknown;
  /** The source of the value, such as `bridle.yaml:3:5` or `default`. */
  readonly from: string;
}

/** Facts about a project for support. They contain no credentials. */
export interface SupportFacts {
  readonly redactor: Redactor;
  readonly checks: readonly Check[];
  /** The texts of the logs by file name, the newest first. */
  readonly logs: Readonly<Record<string, string>>;
  /** Missing if the configuration is wrong; `fault` contains the reason. */
  readonly project?: {
    readonly status: Status;
    readonly features: BackendFeatures;
    readonly settings: readonly ResolvedSetting[];
    /** `bridle.yaml`, if there is one. The text has no credentials. */
    readonly file?: { readonly text: string; readonly sha256: string };
  };
  readonly fault?: string;
}

/** Collects the facts without a request to a host. `text` is the text of the project's `bridle.yaml`, if it has one. */
export async function collectFacts(
  settings: Settings,
  text: string | undefined,
  trust: readonly TrustedState[],
): Promise<SupportFacts> {
  const redactor = settingsRedactor(settings);
  const project = omitUndefined({
    status: await collectStatus(settings, summarizeTrust(trust)),
    features: await readFeatures(settings),
    settings: describeSettings(settings, redactor),
    file: text === undefined ? undefined : { text: redactor.text(text), sha256: sha256(text) },
  });
  return {
    redactor,
    checks: await runChecks(settings, trust, { connections: false }),
    logs: await readLogs(settings),
    project,
  };
}

/** Collects the facts about a project that cannot be opened because of `error`. */
export async function factsWithoutProject(
  error: BridleError,
  environment: Environment = process.env,
): Promise<SupportFacts> {
  const redactor = createRedactor({ environment });
  return { redactor, checks: await checksWithoutProject(error), logs: {}, fault: error.message };
}

/** Describes the settings. Values from the environment appear as their references in the file. */
function describeSettings(settings: Settings, redactor: Redactor): ResolvedSetting[] {
  const { provider, models, promptCaching, limits, prices, embeddings, context, policy, written, positions } = settings;
  const values = {
    llm: { provider, models, promptCaching, limits, prices },
    embeddings,
    context,
    ...(policy && { policy }),
  };
  return listLeaves(redactor.value(values), "").map(({ path, value }) => {
    const position = positions[path];
    return { path, value: written[path] ?? value, from: position ? formatPosition(position) : "default" };
  });
}

function listLeaves(value: unknown, path: string): { path: string; value: unknown }[] {
  if (!isPlainObject(value)) return value === undefined ? [] : [{ path, value }];
  return Object.entries(value).flatMap(([key, inner]) => listLeaves(inner, path === "" ? key : `${path}.${key}`));
}

/** Reads a file that is not a link. A bundle is sent to others, so it must not contain the target of a link in the project. */
async function readOwnFile(path: string): Promise<string> {
  refuseLinks(path);
  return readTextFile(path);
}

async function readLogs(settings: Settings): Promise<Record<string, string>> {
  const texts = logNames.map(async (name) => {
    const text = await readOwnFile(join(bridleFolder(settings), logFolder, name)).catch(() => undefined); // most projects have no log
    return text === undefined ? [] : [[name, text] as const];
  });
  return Object.fromEntries((await Promise.all(texts)).flat());
}
