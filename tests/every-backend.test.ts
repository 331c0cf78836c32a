import { join } from "node:path";
import { backendNames } from "@bridle/project";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "../scripts/packages.ts";
import { openTestProject, type TestProject } from "./support/test-project.ts";

const folder = join(root, "examples/every-backend");
const told = `text: run.started model.input step.started text.delta text.completed step.finished usage.reported run.finished
object: run.started model.input step.started step.finished usage.reported run.finished
loop: run.started model.input step.started step.finished tool.requested tool.evaluated tool.started tool.finished tool.requested tool.evaluated tool.started tool.finished step.started text.delta text.completed step.finished usage.reported run.finished
stream (One. Two. Three.): run.started model.input step.started text.delta text.completed step.finished usage.reported run.finished
`;

let project: TestProject;
beforeAll(async () => {
  project = await openTestProject();
});
afterAll(() => project.close());

test.each(backendNames.filter((name) => name !== "none"))(
  "examples/every-backend prints the same on %s: the kinds of events and their order",
  async (backend) => {
    const model = backend.startsWith("openai") ? "gpt-6-sol" : "sonnet";
    project.write("bridle.yaml", `llm: { provider: { backend: ${backend} }, models: { default: ${model} } }\n`);
    const program = `node --conditions=@bridle/source ${join(folder, "main.ts")} ${join(folder, "rehearsal.yaml")}`;
    expect(await project.shell(program)).toEqual({ code: 0, output: told });
  },
);
