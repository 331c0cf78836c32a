export type { EventLogHarness } from "./event-log-harness.ts";
export { testEventLog } from "./event-log-laws.ts";
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
