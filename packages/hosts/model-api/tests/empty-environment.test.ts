/** Checks that empty variables, as a shell or a container file leaves them, count as unset. */
import { defineScript, startRehearsal } from "@bridle/rehearsal";
import { expect, onTestFinished, test } from "vitest";
import { modelApiIds } from "../src/settings/options.ts";
import { addressVariables, credentialVariables } from "./provider-variables.ts";
import { runProgram } from "./run-program.ts";
import { modelOf, optionsFor } from "./test-backend.ts";

const program = `
  import { createAgentRuntime } from "@bridle/core";
  import { createModelApiBackend } from "@bridle/model-api";
  const { backend: options, model } = JSON.parse(process.argv[1]);
  const backend = createModelApiBackend(options);
  const runtime = createAgentRuntime({ backend, models: { default: model } });
  console.log((await runtime.generateText({ prompt: "go" })).text);
  await runtime.close();
  await backend.close();
`;
const empty = Object.fromEntries([...credentialVariables, ...addressVariables].map((name) => [name, ""]));

test.each(modelApiIds)("%s works if all variables of the provider modules are set and empty", async (id) => {
  const script = defineScript({ rehearsal: 1, turns: [{ steps: [{ say: "fine" }] }] });
  const rehearsal = await startRehearsal({ script });
  onTestFinished(rehearsal.close);
  const options = { backend: optionsFor(id, rehearsal.url), model: modelOf[id] };
  expect(await runProgram(program, options, empty)).toBe("fine");
});
