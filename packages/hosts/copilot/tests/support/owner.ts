/** A program that uses the backend. Tests run it in a separate process and end it. */
import { createAgentRuntime } from "@bridle/core";
import { createCopilotBackend } from "../../src/backend.ts";

const [task, baseUrl = ""] = process.argv.slice(2);
const backend = createCopilotBackend({ baseUrl, apiKey: "key" });
const runtime = createAgentRuntime({ backend, models: { default: "gpt-6-sol" } });
for (const prompt of ["One", "Two"]) console.log((await runtime.generateText({ prompt })).text);
console.log("asked");
if (task === "stay") process.stdin.resume();
