import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder, deskFiles } from "../../../app/tests/support/open-test-workspace.ts";
import { serveDesk } from "../support/serve-desk.ts";

const script = `
rehearsal: 1
turns:
  - steps: [{ think: The lamp is meant., say: Here it is. }]
`;

test.each([
  [true, ["reasoning", "message"]],
  [false, ["message"]],
])("with serve.reasoning %s, a response of OpenAI's API has the items %j", async (reasoning, types) => {
  const cwd = await createFolder(deskFiles);
  await writeFile(join(cwd, "script.yaml"), script);
  const { send } = await serveDesk({}, `\nserve: { protocols: [openai], reasoning: ${reasoning} }\n`, cwd);
  const reply = await send("/openai/v1/responses", { method: "POST", json: { model: "agent", input: "Hi." } });
  expect(await reply.json()).toMatchObject({ output: types.map((type) => ({ type })) });
});
