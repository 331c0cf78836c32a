/** Appends events to an event log of the given type at the given place, at times that are not synchronised with the follower's polling. */
import { setTimeout as sleep } from "node:timers/promises";
import { type EventDraft, noUsage } from "@bridle/protocol";
import { openPostgresEventLog } from "@bridle/store-postgres";
import { openStore } from "@bridle/store-sqlite";

const [type = "", place = "", events = ""] = process.argv.slice(2);
const notice: EventDraft = { type: "notice", level: "info", code: "bench", message: "Something happened." };
const result = { stopReason: "natural", text: "", steps: 0, toolCalls: 0, toolFailures: 0, usage: noUsage } as const;

const eventLog = type === "sqlite" ? openStore({ folder: place }) : await openPostgresEventLog({ url: place });
const writer = await eventLog.openWriter({ sessionId: "followed" });
await sleep(500); // so that the follower has polled once
for (let count = 0; count < Number(events); count += 1) {
  writer.append("run", notice);
  await sleep(60 + ((count * 37) % 100));
}
writer.append("run", { type: "run.finished", result, durationMs: 1 });
await writer.durable();
await writer.close();
await eventLog.close();
