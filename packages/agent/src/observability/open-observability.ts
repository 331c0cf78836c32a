import { createRedactor } from "@bridle/core";
import type { Environment } from "@bridle/project";
import type { Logger, RunEvent } from "@bridle/protocol";
import { createContentCapture } from "./content-capture.ts";
import type { ObservabilityConfig } from "./observability-config.ts";
import { unsupportedSentence } from "./unsupported.ts";

export interface Observability {
  readonly warnings: readonly string[];
  /** Has to be told of every event of the agent's runs; there only where content is captured. */
  onEvent?(event: RunEvent): void;
  /** Sends what is left, for two seconds at most. Never rejects. */
  close(): Promise<void>;
}

export interface ObservabilitySurroundings {
  /** The agent's name. */
  readonly name: string;
  /** Its credentials are taken out of captured content. */
  readonly environment: Environment;
  readonly logger: Logger;
  /** Writes a line for people. Default: to standard error. */
  write?(line: string): void;
  /** Milliseconds that `close()` may take. Default 2000. */
  closeMs?: number;
}

const nothing: Observability = { warnings: [], close: async () => {} };

/**
 * Sets up OpenTelemetry as an agent's file asks for, for the whole process. Call it before the runtime is made, and
 * `close()` after it is closed. What cannot be had is a warning; a collector that is not there delays no run.
 */
export async function openObservability(
  config: ObservabilityConfig,
  around: ObservabilitySurroundings,
): Promise<Observability> {
  if (!config.enabled) return nothing;
  const {
    write = (line) => void process.stderr.write(`${line}\n`),
    closeMs = 2000,
    logger,
    environment,
    name,
  } = around;
  const content = config.traces?.capture_content ? createContentCapture(redaction(config, environment)) : undefined;
  const { startExport } = await import("./start-export.ts");
  const running = startExport(config, {
    serviceName: config.service_name ?? name,
    ...(content && { processor: content.processor }),
    write,
    onFailure: (message) => logger.warn({ agent: name }, message),
  });
  const unsupported = unsupportedSentence(config);
  return {
    warnings: [...(unsupported ? [unsupported] : []), ...(running.isRegistered ? [] : [taken])],
    ...(content && { onEvent: content.onEvent }),
    close: () => within(closeMs, running.shutdown()),
  };
}

const taken =
  "observability: this program has set up OpenTelemetry by itself, which stays; the block is not used. Remove one of the two.";

/** Credentials of the environment first, then what the patterns find. */
function redaction({ traces }: ObservabilityConfig, environment: Environment): (text: string) => string {
  const redactor = createRedactor({ environment });
  const patterns = (traces?.redaction_patterns ?? []).map((pattern) => new RegExp(pattern, "g"));
  return (text) => patterns.reduce((clean, pattern) => clean.replace(pattern, "[redacted]"), redactor.text(text));
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([work.catch(() => {}), late.promise]);
  clearTimeout(timer);
}
