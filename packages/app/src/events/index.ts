/** The event log of a project: the events of runs and sessions. */
export { promptText } from "@bridle/protocol";
export { createEventDescriber, type DescribedEvent, type EventTone } from "./describe-events.ts";
export { type EventTarget, findEvents, type ProjectEventLog, withEventLog } from "./event-log.ts";
export { followEvents } from "./follow-events.ts";
export { streamEvents } from "./readable-events.ts";
