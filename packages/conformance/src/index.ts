export { appendEvents, interceptAppends, storeArtifacts } from "./event-log/append-events.ts";
export type { EventLogHarness } from "./event-log/event-log-harness.ts";
export { testEventLog } from "./event-log/event-log-laws.ts";
export { findImages } from "./find-images.ts";
export { collect, ofType, sleep, until } from "./harness.ts";
export { inRows } from "./in-rows.ts";
export { createMemoryBackend, type MemoryBackend } from "./memory-backend.ts";
export type {
  ScriptedCall,
  ScriptedFailure,
  ScriptedModel,
  ScriptedStep,
  ScriptedTurn,
  SentRequest,
} from "./scripted-model.ts";
export { type ConformanceHarness, type ScriptedHost, testBackend } from "./suite.ts";
