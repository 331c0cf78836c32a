import { createRedactor, importOptional, runInTime } from "@bridle/core";
import type { Environment } from "@bridle/project";
import { ConfigError, type Logger, type RunEvent } from "@bridle/protocol";
import type { ObservabilityConfig } from "../config/observability-config.ts";
import { createContentCapture } from "./content-capture.ts";
import { isRemote } from "./remote-collector.ts";
import { unsupportedSentence } from "./unsupported.ts";

export interface Observability {
  readonly warnings: readonly string[];
  /** Call it with every event of the agent's runs. Only present if content is captured. */
  onEvent?(event: RunEvent): void;
  /** Sends the remaining data, for two seconds at most. Never rejects. */
  close(): Promise<void>;
}

export interface ObservabilityParts {
  /** The agent's name. */
  readonly name: string;
  /** The variables. Credentials among them are redacted in captured content. */
  readonly environment: Environment;
  readonly logger: Logger;
  /** Whether a script plays the model. Spans then stay on this machine. */
  readonly isRehearsed?: boolean | undefined;
  /** Writes a line. Default: to standard error. */
  write?(line: string): void;
  /** Milliseconds that `close()` may take. Default 2000. */
  closeMs?: number;
}

const nothing: Observability = { warnings: [], close: async () => {} };

/**
 * Sets up OpenTelemetry for the whole process, as configured in an agent file. Call it before you create the runtime, and call `close()`
 * after you close the runtime. Unsupported settings are warnings. A collector that is down delays no run.
 *
 * @throws ConfigError if a package of OpenTelemetry is not installed.
 */
export async function openObservability(
  config: ObservabilityConfig,
  parts: ObservabilityParts,
): Promise<Observability> {
  if (!config.enabled) return nothing;
  const { write = (line) => void process.stderr.write(`${line}\n`), closeMs = 2000, logger, environment, name } = parts;
  const { isRehearsed = false } = parts;
  const content = config.traces?.capture_content ? createContentCapture(redaction(config, environment)) : undefined;
  const { startExport } = await importSdk();
  const running = await startExport(config, {
    serviceName: config.service_name ?? name,
    processor: content?.processor,
    isRehearsed,
    write,
    onFailure: (message) => logger.warn({ agent: name }, message),
  });
  const unsupported = unsupportedSentence(config);
  return {
    warnings: [
      ...(unsupported ? [unsupported] : []),
      ...(running.isRegistered ? [] : [taken]),
      ...(isRehearsed && isRemote(config.exporters?.otlp) ? [unsent] : []),
    ],
    ...(content && { onEvent: content.onEvent }),
    close: () => within(closeMs, running.shutdown()),
  };
}

const unsent =
  "A rehearsal sends nothing from this machine, so no spans and metrics are exported to observability.exporters.otlp.";

const taken = "observability has no effect: this program has its own OpenTelemetry setup. Remove one of the two.";

function importSdk() {
  return importOptional(
    ["@opentelemetry/sdk-trace", "@opentelemetry/sdk-metrics", "@opentelemetry/resources"],
    () => import("./start-export.ts"),
    (problem, cause) => new ConfigError(`observability ${problem}`, { field: "observability", cause }),
  );
}

/** The time limit of a replacement, in milliseconds. Without a limit, an expression such as `(a+)+$` can take years. */
const redactionMs = 1000;

/**
 * Redacts credentials from the environment, then matches of the patterns. If a pattern takes too long, nothing is captured from then on,
 * because later texts would be exported unredacted or block the program again.
 */
function redaction({ traces }: ObservabilityConfig, environment: Environment): (text: string) => string {
  const redactor = createRedactor({ environment });
  const patterns = (traces?.redaction_patterns ?? []).map((pattern) => new RegExp(pattern, "g"));
  let slow: RegExp | undefined;
  return (text) => {
    let clean = redactor.text(text);
    for (const pattern of patterns) {
      if (slow !== undefined) break;
      const replaced = runInTime(() => clean.replace(pattern, "[redacted]"), redactionMs);
      if (replaced === undefined) slow = pattern;
      else clean = replaced.value;
    }
    return slow === undefined ? clean : `[not captured: the redaction pattern ${slow.source} takes too long]`;
  };
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([work.catch(() => {}), late.promise]);
  clearTimeout(timer);
}
