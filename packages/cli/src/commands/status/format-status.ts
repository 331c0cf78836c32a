import { describeEnvironmentFile } from "@bridle/app/project";
import { policySentence, type Status } from "@bridle/app/status";
import { formatDuration } from "@bridle/protocol";
import { formatTitledRow } from "../../terminal/titled-row.ts";
import { trustLines } from "../trust/trust-lines.ts";

const indent = 10;

const loginWords = {
  "not checked": "not checked; bridle doctor --live does",
  "no login": "no login, so runs will fail; bridle doctor has the remedy",
} as const;

/**
 * Formats the status as text: one line for each fact, and more lines for remedies and long strings. `ruledAgent` is the folder's agent
 * file, if that has its own rules.
 */
export function formatStatus(status: Status, columns = Number.POSITIVE_INFINITY, ruledAgent?: string): string {
  const { host, credentials, promptCaching, degraded, baseUrl, gitHubHost, embeddings } = status;
  const rows: (readonly [string, string])[] = [
    ...titled("Trust", trustLines(status.trust, columns - indent)),
    ["Project", status.projectDir],
    ["Config", status.configFile ?? "none (the defaults apply)"],
    ...(status.environmentFile === null
      ? []
      : [["Env file", describeEnvironmentFile(status.environmentFile)] as const]),
    ...(status.namespace === null ? [] : [["Namespace", JSON.stringify(status.namespace)] as const]),
    ["Backend", host ? `${status.backend} (${versionsLine(host)})` : status.backend],
    ...titled("Auth", [
      `${status.auth ?? authOf(credentials)} (${loginWords[status.authentication]})`,
      ...credentials.missing.map(missingLine),
      ...credentials.unused.map((name) => `set in the environment, and not used: ${name}`),
      ...credentials.typed.map((field) => `in plain text in the file: ${field}`),
    ]),
    ...(baseUrl === null ? [] : [["Base URL", baseUrl] as const]),
    ...(gitHubHost === null ? [] : [["GitHub", gitHubHost] as const]),
    ...titled("Models", status.models.map(modelLine)),
    ...(embeddings.backend === "none" ? [] : [["Vectors", vectorsLine(embeddings)] as const]),
    ...titled("Limits", limitLines(status.limits)),
    ...(status.pool === null ? [] : [["Pool", poolLine(status.pool)] as const]),
    ["Log", status.eventLog],
    ...titled("Data", status.connections.map(connectionLine)),
    ...titled("Policy", policyLines(status, ruledAgent)),
    ["Node.js", status.node],
    ...titled(
      "Ignored",
      promptCaching.ignored.map((field) => `llm.promptCaching.${field}: ${status.backend} has no equivalent`),
    ),
    ...titled("Degraded", degraded),
  ];
  return rows.map(([title, text]) => formatTitledRow(title, text, columns, indent)).join("");
}

function policyLines({ policy }: Status, ruledAgent: string | undefined): string[] {
  const ofProject = policySentence(policy);
  if (ruledAgent === undefined) return [ofProject];
  return [`bridle.yaml: ${ofProject}`, `${ruledAgent}: its own rules; bridle agent show lists them`];
}

/** Names the settings that contain the credentials, for backends without an auth mode. */
function authOf({ present, missing }: Status["credentials"]): string {
  const fields = present.filter(({ field }) => field.startsWith("llm.")).map(({ field }) => field);
  return fields.length > 0 ? fields.join(", ") : missing.length > 0 ? "incomplete" : "no credential";
}

function connectionLine({ name, type, place, missing }: Status["connections"][number]): string {
  const unset = missing.length === 0 ? "" : `; missing in the environment: ${missing.join(", ")}`;
  return `${name} (${type}): ${place}${unset}`;
}

function missingLine({ field, variables }: Status["credentials"]["missing"][number]): string {
  if (variables.length === 0) return `missing: ${field}`;
  return `missing in the environment: ${variables.join(", ")} (${field})`;
}

function versionsLine(host: NonNullable<Status["host"]>): string {
  return Object.entries(host)
    .map(([name, version]) => `${name} ${version}`)
    .join(", ");
}

function limitLines({ onUsageLimit, maxConcurrency, maxWaitMs, usedUp }: Status["limits"]): string[] {
  const wait = `wait (${formatDuration(maxWaitMs)} at most)`;
  const atLimit = { wait, fail: "fail", unset: `fail on a terminal, else ${wait}` }[onUsageLimit ?? "unset"];
  const state = usedUp ? [`the window ${usedUp.window} is used up until ${usedUp.resetsAt}`] : [];
  return [`at a used-up window: ${atLimit}; ${maxConcurrency} runs at a time`, ...state];
}

function poolLine(pool: NonNullable<Status["pool"]>): string {
  if (pool === false) return "off: a process for each call";
  const set = Object.entries(pool).map(([key, value]) => `${key} ${value}`);
  return `processes wait for calls${set.length === 0 ? "" : `: ${set.join(", ")}`}`;
}

function vectorsLine({ backend, model, baseUrl }: Status["embeddings"]): string {
  return `${model} on ${backend}${baseUrl === null ? "" : ` at ${baseUrl}`}`;
}

function modelLine({ role, model, known, nearest }: Status["models"][number]): string {
  const hint = nearest.length === 0 ? "" : `; did you mean ${nearest.join(" or ")}?`;
  return `${role}: ${model}${known ? "" : ` (not known${hint})`}`;
}

/** Adds the title to the first line only. */
function titled(title: string, lines: readonly string[]): (readonly [string, string])[] {
  return lines.map((line, index) => [index === 0 ? title : "", line]);
}
