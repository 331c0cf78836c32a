/** Tests the `observability` block of an agent file, from the run to a collector. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { agentFolder, playAgent } from "./play-agent.ts";

test("spans of an agent's runs reach the collector of its file before the agent is closed", async () => {
  let received = "";
  const server = createServer(async (request, response) => {
    for await (const part of request) received += part;
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const files = {
    "agent.yaml": `
name: order-desk
instructions: { inline: You help. }
observability:
  enabled: true
  traces: { capture_content: true }
  exporters: { otlp: { endpoint: "http://127.0.0.1:${port}" }, prometheus: { enabled: true } }
`,
    "script.yaml": 'rehearsal: 1\nturns: [{ steps: [{ say: "All is well." }] }]\n',
  };
  const { warnings } = await playAgent({ folder: await agentFolder(), files, options: { backend: "anthropic" } });
  expect(warnings).toEqual([
    expect.stringContaining(
      "observability has settings that are not supported and have no effect: exporters.prometheus",
    ),
  ]);
  for (const text of ["order-desk", "invoke_agent", "All is well.", "gen_ai.client.token.usage"]) {
    expect(received).toContain(text);
  }
});
