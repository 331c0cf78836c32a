/** Performs one run of a session with approvals through the event log: `approvals-session.ts <project> <prompt>`. */
import { writeSync } from "node:fs";
import { createRuntime } from "@bridle/project";
import tools from "./approvals-tools.ts";

const [projectDir = "", prompt = ""] = process.argv.slice(2);
const runtime = await createRuntime({ projectDir, eventLog: "project", approve: "event-log" });
const session = await runtime.openSession({ id: "shop", tools: tools(projectDir), stepBudget: 9 });
const { stopReason, text } = await (await session.send(prompt)).result;
writeSync(1, `${stopReason}: ${text}\n`);
await runtime.close();
