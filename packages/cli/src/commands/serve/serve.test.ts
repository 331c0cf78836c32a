import { expect, test } from "vitest";
import { parseArguments } from "../../command/parse-arguments.ts";
import { serveCommand } from "./serve.ts";

test.each([
  ["", true],
  ["--no-tools-run", false],
])("bridle serve %s runs tools: %s", (words, toolsRun) => {
  const parsed = parseArguments(
    { name: "serve" },
    serveCommand,
    words.split(" ").filter((word) => word !== ""),
  );
  expect(parsed).toMatchObject({ flags: { toolsRun } });
});
