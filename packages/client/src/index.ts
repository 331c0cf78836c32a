/** A typed client for Bridle's HTTP API. Runs in browsers and in Node.js. */
export { type PlacedEntries, type PlacedEntry, PlacedTranscript } from "@bridle/protocol/transcript";
export type * from "./api-types.ts";
export {
  BridleClient,
  type BridleClientOptions,
  type FollowSessionOptions,
  type PromptToSend,
  type RunReplay,
  type SessionTranscript,
  type StartOptions,
} from "./bridle-client.ts";
export type { ReconnectOptions } from "./event-stream.ts";
export type { FollowedTopics } from "./follow-session.ts";
export type { TestOverviewNews, TestRunNews } from "./follow-tests.ts";
export { BridleRequestError } from "./request-error.ts";
export type { ServerSentEvent } from "./server-sent-events.ts";
