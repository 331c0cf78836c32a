/** Rehearsals: records the model's answers to a cassette, and serves scripts and cassettes to any program. */

export type { Rehearsal } from "@bridle/rehearsal";
export { openRehearsal, type ServedRequest, servedRequests } from "./open-rehearsal.ts";
export { programEnvironment, rehearsalVariables } from "./program-environment.ts";
export { type RecordedRun, recordRun, saveCassette } from "./record-run.ts";
