import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseScript, startRehearsal } from "@bridle/rehearsal";
import { onTestFinished } from "vitest";
import { createPlace } from "./command.ts";

const agent = `
name: desk
instructions: { inline: Help. }
test_cases:
${["one", "two", "three", "four"]
  .map(
    (name) =>
      `  - { name: ${name}, input: Question ${name}, evaluations: [{ type: standard, metric: contains, value: fine }] }`,
  )
  .join("\n")}
`;

/** Creates a project with four cases, and a model that counts its requests. The third case fails. */
export async function openTestStage({ delayMs = 0 } = {}) {
  const place = await createPlace();
  onTestFinished(() => place.remove());
  const say = (text: string, when = "") => `  - { ${when}steps: [{ say: ${text}, delay_ms: ${delayMs} }] }\n`;
  const script = `rehearsal: 1\nturns:\n${say("Not so good.", "when: { user: three }, ")}${say("All is fine.")}`;
  const model = await startRehearsal({ script: parseScript(script) });
  onTestFinished(() => model.close());
  const provider = `{ backend: anthropic, apiKey: "\${MODEL_KEY}", baseUrl: "${model.url}" }`;
  await writeFile(
    join(place.project, "bridle.yaml"),
    `llm:\n  provider: ${provider}\n  models: { default: model-1 }\n`,
  );
  await writeFile(join(place.project, "agent.yaml"), agent);
  /** Returns the number of requests for each case. */
  function asked(): Record<string, number> {
    const names = model.requests.map(({ body }) => /Question (\w+)/.exec(JSON.stringify(body))?.[1] ?? "");
    return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
  }
  return { place, asked, environment: { MODEL_KEY: "k" } };
}
