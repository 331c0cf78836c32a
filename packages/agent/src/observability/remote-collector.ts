import { isLoopback } from "@bridle/core";
import type { Exporters } from "./exporter.ts";

export const defaultCollector = "http://localhost:4318";

/** Whether spans would leave this machine. */
export function isRemote(otlp: Exporters["otlp"]): boolean {
  return otlp !== undefined && otlp.enabled !== false && !isLoopback(otlp.endpoint ?? defaultCollector);
}
