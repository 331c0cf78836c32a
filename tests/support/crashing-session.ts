/**
 * Runs a session with effects in a process that kills itself or hangs at a given point: before or after one of its writes (`before 7`,
 * `after 7`), within a tool (`in pay`, `done pay`), or while a question waits (`asked`).
 */

import { writeSync } from "node:fs";
import { interceptAppends } from "@bridle/conformance";
import { createRuntime, openProjectEventLog } from "bridle";
import { requestOf, rules } from "./crash-tools.ts";

const [projectDir = "", point = ""] = process.argv.slice(2);
const record = await openProjectEventLog({ projectDir });
let writes = 0;

function pass(reached: string): void {
  if (reached === point) process.kill(process.pid, "SIGKILL");
  if (`hang ${reached}` === point) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

const runtime = await createRuntime({
  projectDir,
  policy: rules,
  eventLog: interceptAppends(record, (append) => (...write) => {
    writes += 1;
    pass(`before ${writes}`);
    const event = append(...write);
    writeSync(1, `${event.type}\n`);
    pass(`after ${writes}`);
    pass(`after ${event.type}`);
    return event;
  }),
  approve() {
    pass("asked");
    return { decision: "allow" };
  },
});
const session = await runtime.openSession(requestOf(projectDir, pass));
await (await session.send("Begin")).result;
await runtime.close();
await record.close();
