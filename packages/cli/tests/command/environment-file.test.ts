import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlace, type Place, startCommand } from "../support/command.ts";

/** Returns a variable of this process, and the environment of Claude Code, which is a child of this process. */
const tools = `import { readdirSync, readFileSync } from "node:fs";
import { defineTool } from "bridle";
import { z } from "zod";
const read = (path) => { try { return readFileSync(path, "utf8"); } catch { return ""; } };
const children = () => readdirSync("/proc").filter((pid) => new RegExp("\\\\) . " + process.pid + " ").test(read("/proc/" + pid + "/stat")));
const lines = () => children().flatMap((pid) => read("/proc/" + pid + "/environ").split("\\0"));
const nameOf = (line) => line.split("=")[0];
export default [defineTool({
  name: "look_around",
  description: "Look around.",
  input: z.object({}),
  execute: async () => JSON.stringify({ city: process.env.SHOP_CITY, token: process.env.SHOP_TOKEN, names: lines().map(nameOf), leaked: lines().filter((line) => line.includes("=from-file")).map(nameOf) }),
})];
`;
const script = "rehearsal: 1\nturns: [{ steps: [{ call: look_around }, { say: '{{ look_around.result }}' }] }]\n";

/** Variables that determine who pays for Claude Code, where it sends requests, or where its login is. */
const paying = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "ANTHROPIC_MODEL",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "CLAUDE_CODE_USE_BEDROCK",
  "AWS_ACCESS_KEY_ID",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "CLAUDE_CODE_EXTRA_BODY",
];

let place: Place;
beforeEach(async () => {
  place = await createPlace();
  await writeFile(join(place.project, "tools.mjs"), tools);
  await writeFile(join(place.project, "script.yaml"), script);
});
afterEach(() => place.remove());

async function lookAround(): Promise<{ stdout: string; stderr: string; found: Record<string, unknown> }> {
  const words = ["run", "--tools", "tools.mjs", "--rehearse", "script.yaml", "Look."];
  const command = startCommand(words, place);
  expect(await command.ended).toBe(0);
  return { stdout: command.stdout(), stderr: command.stderr(), found: JSON.parse(command.stdout()) };
}

test.runIf(process.platform === "linux")("no variable of a .env decides who pays for Claude Code", async () => {
  const lines = [
    ...paying.map((name) => `${name}=from-file-${name}`),
    "CLAUDE_CONFIG_DIR=/elsewhere",
    "SHOP_CITY=Turin",
  ];
  await writeFile(join(place.project, ".env"), lines.join("\n"));
  const { found, stderr } = await lookAround();
  expect(stderr).toContain("never read from a file: CLAUDE_CONFIG_DIR");
  expect(found.city).toBe("Turin");
  expect(found.names).toContain("CLAUDE_CODE_DISABLE_AUTO_MEMORY"); // these are Claude Code's
  expect(found.leaked).toEqual([]);
});

test("tools get the variables of a .env, and its credentials are redacted in every event", async () => {
  await writeFile(join(place.project, ".env"), "SHOP_TOKEN=k3y-of-the-shop-91f3\nSHOP_CITY=Turin\n");
  const { stderr, stdout } = await lookAround();
  expect(stderr).toContain(`Read from ${join(place.project, ".env")}: SHOP_CITY, SHOP_TOKEN.`);
  const events = startCommand(["events", "--json"], place);
  expect(await events.ended).toBe(0);
  expect(events.stdout()).toContain("Turin");
  expect(events.stdout()).not.toContain("k3y-of-the-shop-91f3");
  expect(stdout).toContain("Turin");
});
