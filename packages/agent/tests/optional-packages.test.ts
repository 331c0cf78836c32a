/** Tests features that need optional packages, in a process without these packages. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const program = join(import.meta.dirname, "without-packages.ts");
const client = "@modelcontextprotocol/client";
const sdk = ["@opentelemetry/sdk-trace", "@opentelemetry/sdk-metrics", "@opentelemetry/resources"];
const otlp = ["@opentelemetry/exporter-trace-otlp-http", "@opentelemetry/exporter-metrics-otlp-http"];

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bridle-optional-"));
  writeFileSync(join(folder, "bridle.yaml"), "");
});
afterAll(() => rmSync(folder, { recursive: true }));

function openWithout(packages: readonly string[], more: string): string {
  const file = join(folder, "agent.yaml");
  writeFileSync(file, `name: desk\ninstructions: { inline: Be kind. }\n${more}\n`);
  const args = ["--conditions=@bridle/source", program, file, ...packages];
  return execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8" }).trim();
}

test("an MCP server without the client package is an error that says how to install it", () => {
  expect(openWithout([client], "tools: [{ type: mcp, name: issues, command: npx }]")).toMatch(
    /agent\.yaml:3:\d+: The MCP server issues needs the package "@modelcontextprotocol\/client", which is not installed\. Run "npm install @modelcontextprotocol\/client"\.$/,
  );
});

test("observability without OpenTelemetry's SDK is an error that names its packages", () => {
  expect(openWithout(sdk, "observability: { enabled: true }")).toBe(
    `observability needs the packages "${sdk.join('", "')}", which are not all installed. Run "npm install ${sdk.join(" ")}".`,
  );
});

test("only the exporter for OTLP needs the packages for OTLP", () => {
  expect(openWithout(otlp, "observability: { enabled: true, exporters: { otlp: {} } }")).toMatch(
    /^observability\.exporters\.otlp needs the packages "@opentelemetry\/exporter-trace-otlp-http", .* Run "npm install /,
  );
  expect(openWithout(otlp, "observability: { enabled: true }")).toBe("opened");
});

test("an agent that uses none of them opens without the optional packages", () => {
  expect(openWithout([client, ...sdk, ...otlp, "unpdf", "mammoth"], "")).toBe("opened");
});
