export { describeCall, type ExpectedCall, type MadeCall } from "./calls/expected-call.ts";
export { type CallMatch, matchCalls } from "./calls/match-calls.ts";
export { mean, passAtK, passHatK, sampleDeviation } from "./trials/statistics.ts";
