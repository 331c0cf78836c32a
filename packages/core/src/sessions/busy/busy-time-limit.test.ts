import { expect, test } from "vitest";
import { createMemoryEventLog } from "../../event-log/memory-event-log.ts";
import { createTurnTaking } from "../turn-taking.ts";

test("a run that waits for a busy session gives up at its time limit, and says why", async () => {
  const turns = createTurnTaking(createMemoryEventLog());
  const first = await turns.take("s", "wait");
  const waiting = turns.take("s", "wait", AbortSignal.timeout(50));
  await expect(waiting).rejects.toThrow("The session was busy for the whole time limit of the run");
  await first.writer?.close();
  first.end();
  const next = await turns.take("s", "fail");
  next.end();
});
